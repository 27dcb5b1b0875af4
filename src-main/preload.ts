import { ipcRenderer } from 'electron'
import { portChannel } from './contract/port-channel.ts'

// Main's code has no types of the page's world; this script alone stands in it.
declare const location: { readonly origin: string }
declare const window: {
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void
}
interface PageMessage {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
  readonly ports: readonly object[]
}

// All that the page can reach of Electron: it posts itself a message with a port, and this script passes the
// port on to main. Nothing is put on the page's global object. Main decides whether it takes the port
// (desktop/pages/ports.ts); what is checked here only keeps messages of other frames away.
window.addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window || origin !== location.origin) return
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== portChannel) return
  ipcRenderer.postMessage(portChannel, 'request' in data ? data.request : undefined, [...ports])
})
