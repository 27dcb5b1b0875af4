import { ipcRenderer, webUtils } from 'electron'
import { dropChannel, mostDropped, portChannel } from './contract/port-channel.ts'

// Main's code has no types of the page's world; this script alone stands in it.
declare const location: { readonly origin: string }
declare const window: {
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void
  addEventListener(type: 'drop', listener: (event: PageDrop) => void, options: { capture: true }): void
}
interface PageMessage {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
  readonly ports: readonly object[]
}
interface PageDrop {
  readonly isTrusted: boolean
  readonly timeStamp: number
  readonly dataTransfer: { readonly files: ArrayLike<DroppedFile> } | null
}
type DroppedFile = Parameters<typeof webUtils.getPathForFile>[0]

// All that the page can reach of Electron: it posts itself a message with a port, and this script passes the
// port on to main. Nothing is put on the page's global object. Main decides whether it takes the port
// (desktop/pages/ports.ts); what is checked here only keeps messages of other frames away.
window.addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window || origin !== location.origin) return
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== portChannel) return
  ipcRenderer.postMessage(portChannel, 'request' in data ? data.request : undefined, [...ports])
})

// Where dropped files lie is for main alone, which gives it to who asks for the drop by its time, which the page sees, too
// (desktop/pages/drops.ts). An event that the page made itself is none of the user's, and a file that it made has no path.
// Too many are told as none, or who asks for them would wait.
window.addEventListener(
  'drop',
  ({ isTrusted, timeStamp, dataTransfer }) => {
    const files = dataTransfer?.files
    if (!isTrusted || files === undefined || files.length === 0) return
    const taken = files.length > mostDropped ? [] : Array.from(files)
    const paths = taken.map((file) => webUtils.getPathForFile(file))
    ipcRenderer.postMessage(dropChannel, { at: timeStamp, paths: paths.filter((path) => path !== '') })
  },
  { capture: true },
)
