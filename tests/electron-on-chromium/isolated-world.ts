import { fileNamePrefix } from './dropped-paths.ts'
import { decodeValue, encodeValue } from './wire.ts'

/** Where the isolated world finds main, and what it proves itself with. */
export interface LinkAddress {
  readonly url: string
  /** What it fetches large messages by, with the name of one behind it. */
  readonly largeUrl: string
  readonly token: string
}

type Require = (name: string) => unknown
type Preload = (require: Require, module: { exports: unknown }, exports: unknown) => void

/**
 * The script that Chromium runs in an isolated world before any script of a document: the built preload script,
 * with a `require('electron')` that has what a sandboxed preload of Slipway uses. The page sees none of it.
 */
export function isolatedWorldScript(preloadSource: string, address: LinkAddress): string {
  const preload = `(require, module, exports) => {\n${preloadSource}\n}`
  const codec = `${String(encodeValue)}, ${String(decodeValue)}`
  return `(${String(enterWorld)})(${JSON.stringify(address)}, ${preload}, ${codec}, ${JSON.stringify(fileNamePrefix)})`
}

/** Runs in the page's process, as source text: it uses its arguments and the web's own names only. */
function enterWorld(
  address: LinkAddress,
  preload: Preload,
  encode: typeof encodeValue,
  decode: typeof decodeValue,
  fileNamePrefix: string,
): void {
  // As in Electron, frames inside the page have no preload script.
  if (window.top !== window) return

  const ports = new Map<number, MessagePort>()
  const unsent: Uint8Array<ArrayBuffer>[] = []
  let lastId = 0
  let socket: WebSocket | null = null

  const send = (value: unknown): void => {
    const bytes = encode(value)
    socket ??= connect()
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes)
    else unsent.push(bytes)
  }

  const connect = (): WebSocket => {
    const [navigation] = performance.getEntriesByType('navigation')
    const [own] = navigation instanceof PerformanceNavigationTiming ? navigation.serverTiming : []
    const opened = new WebSocket(`${address.url}?document=${own?.description ?? 0}`, ['ports', address.token])
    opened.binaryType = 'arraybuffer'
    opened.addEventListener('open', () => {
      for (const bytes of unsent.splice(0)) opened.send(bytes)
    })
    opened.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      // Bytes are a message, a text is the name of a large one.
      const whole = typeof data === 'string' ? fetchLarge(data) : new Uint8Array(data)
      inOrder(async () => receive(await whole))
    })
    opened.addEventListener('close', () => {
      inOrder(() => {
        for (const port of ports.values()) port.close()
        ports.clear()
      })
    })
    return opened
  }

  /** `null`: main has ended, and the socket is closed or about to be. */
  const fetchLarge = async (name: string): Promise<Uint8Array | null> => {
    try {
      const response = await fetch(address.largeUrl + name)
      if (response.ok) return new Uint8Array(await response.arrayBuffer())
      throw new Error(`A large message was answered by ${response.status}`)
    } catch (error) {
      if (socket?.readyState === WebSocket.OPEN) reportError(error)
      return null
    }
  }

  let before = Promise.resolve()
  /** Nothing overtakes a message that is still being fetched. */
  const inOrder = (step: () => void | Promise<void>): void => {
    // One that fails takes none that come after it with it.
    before = before.then(step).catch(reportError)
  }

  const receive = (bytes: Uint8Array | null): void => {
    const message = bytes && decode(bytes)
    if (typeof message !== 'object' || message === null || !('port' in message)) return
    const id = Number(message.port)
    const port = ports.get(id)
    if ('value' in message) port?.postMessage(message.value)
    else {
      ports.delete(id)
      port?.close()
    }
  }

  const adopt = (port: MessagePort): number => {
    lastId += 1
    const id = lastId
    ports.set(id, port)
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      send({ kind: 'message', port: id, value: data })
    })
    port.addEventListener('close', () => {
      if (ports.delete(id)) send({ kind: 'close', port: id })
    })
    port.start()
    return id
  }

  // Chromium tells main of it unless the page keeps the event for itself, which is known once it has been everywhere.
  window.addEventListener('contextmenu', (event) => {
    const { target, clientX: x, clientY: y } = event
    setTimeout(() => {
      if (event.defaultPrevented || !event.isTrusted) return
      const field =
        target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : null
      const isEditable = field !== null && !field.readOnly && !field.disabled
      const selected = field
        ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
        : String(window.getSelection())
      const canCopy = selected !== '' && field?.type !== 'password'
      const editFlags = {
        canUndo: isEditable,
        canRedo: isEditable,
        canCut: isEditable && canCopy,
        canCopy,
        canPaste: isEditable,
        canDelete: isEditable && selected !== '',
        canSelectAll: true,
        canEditRichly: false,
      }
      send({ kind: 'context-menu', x, y, isEditable, selectionText: selected, editFlags })
    })
  })

  /** Files whose paths main finds out by them when it gets the names (dropped-paths.ts). */
  const files: Record<string, File> = {}
  Object.assign(globalThis, { slipwayDoubleFiles: files })
  let lastFile = 0
  const webUtils = {
    getPathForFile: (file: File): string => {
      lastFile += 1
      const name = `${fileNamePrefix}${lastFile}`
      files[name] = file
      return name
    },
  }

  const ipcRenderer = {
    postMessage: (channel: string, message: unknown, transfer: readonly MessagePort[] = []): void => {
      send({ kind: 'hand-over', channel, message, ports: transfer.map(adopt) })
    },
  }
  const module = { exports: {} }
  preload(
    (name) => {
      if (name === 'electron' || name === 'electron/renderer') return { ipcRenderer, webUtils }
      throw new Error(`module not found: ${name}`)
    },
    module,
    module.exports,
  )
}
