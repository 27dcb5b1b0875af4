import { portChannel } from '../../contract/port-channel.ts'
import { portRequest, type PortRequest } from '../../contract/ports.ts'
import type { Log } from '../../domain/base/log.ts'
import type { MessagePortLike } from '../../ipc/message-port.ts'
import { whySenderRefused, type Expected, type SenderFrame } from './sender.ts'

/** What preload.ts sends, as Electron presents it. */
export interface Handover {
  /** Found when it is asked for, and `null` when its document is gone by then. */
  readonly senderFrame: SenderFrame | null
  readonly ports: readonly ElectronPort[]
}

/** The part of Electron's WebContents that is used here. */
export interface PortSource {
  readonly mainFrame: SenderFrame
  readonly ipc: { on(channel: string, listener: (event: Handover, message: unknown) => void): unknown }
  on(event: 'did-navigate' | 'render-process-gone' | 'destroyed', listener: () => void): unknown
}

/**
 * Takes the ports that the page hands over. Whoever holds a port may call everything, so one is taken only
 * from the main frame of this window, only while it shows the page's own origin, and only with a request that
 * the contract knows; all else is closed and logged. When the page goes, its ports are closed.
 */
export function acceptPorts(
  contents: PortSource,
  options: Omit<Expected, 'mainFrame'> & {
    readonly onPort: (request: PortRequest, port: MessagePortLike) => void
    readonly log: Log
  },
): void {
  const open = new Set<MessagePortLike>()
  // On the contents, not on ipcMain: messages of other windows do not even get here.
  contents.ipc.on(portChannel, (event, message) => {
    const answer = judge(event, message, { ...options, mainFrame: contents.mainFrame })
    if (answer.kind === 'refused') {
      for (const port of event.ports) port.close()
      options.log.warn(`Refused a port: ${answer.why}`)
      return
    }
    const port = adaptPort(answer.port)
    open.add(port)
    port.on('close', () => open.delete(port))
    options.onPort(answer.request, port)
  })
  const closeAll = (): void => {
    for (const port of [...open]) port.close()
  }
  contents.on('did-navigate', closeAll)
  contents.on('render-process-gone', closeAll)
  contents.on('destroyed', closeAll)
}

type Answer =
  | { readonly kind: 'accepted'; readonly request: PortRequest; readonly port: ElectronPort }
  | { readonly kind: 'refused'; readonly why: string }

function judge({ senderFrame, ports }: Handover, message: unknown, expected: Expected): Answer {
  const why = whySenderRefused(senderFrame, expected)
  if (why !== null) return { kind: 'refused', why }
  const request = portRequest.safeParse(message)
  if (!request.success) return { kind: 'refused', why: 'the contract does not know what it is for' }
  const [port, ...others] = ports
  if (port === undefined || others.length > 0) return { kind: 'refused', why: 'it is not exactly one port' }
  return { kind: 'accepted', request: request.data, port }
}

/** The part of Electron's MessagePortMain that is used here. */
export interface ElectronPort {
  postMessage(value: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  start(): void
  close(): void
}

/**
 * Electron's port as the rest of main knows it. Electron promises `close` for the other side's end only; here
 * it is told once for either side's, so that what hangs on a port (a subscription, a shell) always ends.
 */
function adaptPort(port: ElectronPort): MessagePortLike {
  const whenClosed: (() => void)[] = []
  let isClosed = false
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    for (const tell of whenClosed.splice(0)) tell()
  }
  port.on('close', close)

  function on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  function on(event: 'close', listener: () => void): void
  function on(event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void): void {
    if (event === 'message') port.on('message', ({ data }) => listener({ data }))
    else if (isClosed) queueMicrotask(() => listener({ data: undefined }))
    else whenClosed.push(() => listener({ data: undefined }))
  }

  return {
    on,
    postMessage: (value) => {
      if (!isClosed) port.postMessage(value)
    },
    start: () => port.start(),
    close: () => {
      port.close()
      close()
    },
  }
}
