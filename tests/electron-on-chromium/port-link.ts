import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { MainPort } from './main-port.ts'
import { decodeValue, encodeValue } from './wire.ts'

/** What the isolated world sends (isolated-world.ts). */
const linkMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hand-over'),
    channel: z.string(),
    message: z.unknown(),
    ports: z.array(z.number().int()),
  }),
  z.object({ kind: z.literal('message'), port: z.number().int(), value: z.unknown() }),
  z.object({ kind: z.literal('close'), port: z.number().int() }),
  z.object({
    kind: z.literal('context-menu'),
    x: z.number(),
    y: z.number(),
    isEditable: z.boolean(),
    selectionText: z.string(),
    editFlags: z.object({
      canUndo: z.boolean(),
      canRedo: z.boolean(),
      canCut: z.boolean(),
      canCopy: z.boolean(),
      canPaste: z.boolean(),
      canDelete: z.boolean(),
      canSelectAll: z.boolean(),
      canEditRichly: z.boolean(),
    }),
  }),
])

/** What Electron tells of a click that asks for a menu, as far as a page's own world knows it. */
export type ContextMenuClick = Omit<Extract<z.infer<typeof linkMessage>, { kind: 'context-menu' }>, 'kind'>

/** `ipcRenderer.postMessage` as it arrives in main. */
export interface PostedMessage {
  readonly channel: string
  readonly message: unknown
  readonly ports: readonly MainPort[]
  /** The document that sent it, by its number (page-server.ts). */
  readonly document: number
}

/** What comes from the isolated worlds of one WebContents. */
export interface LinkListener {
  readonly posted: (message: PostedMessage) => void
  readonly contextMenu: (click: ContextMenuClick) => void
}

/**
 * Larger messages to a page are fetched by it: Playwright watches the network of every page, here and in a test, and
 * Chromium writes each frame of a socket in base64 for each of them, but not what is fetched. 12.5 MB took 96 ms over
 * the socket and 41 by fetch, which itself takes some 2 ms.
 */
const largeBytes = 256 * 1024

/**
 * Main's end of the sockets from isolated worlds, one per document. Whoever connects has to name the token of its
 * WebContents, which no page gets to see, and to have an origin, as browsers do.
 */
export class PortLink {
  readonly #newToken: () => string
  /** By token. */
  readonly #listeners = new Map<string, LinkListener>()
  /** Messages that their pages have not fetched yet, by names that nobody guesses. */
  readonly #large = new Map<string, Uint8Array>()
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 1 << 30, perMessageDeflate: false })

  constructor(newToken: () => string) {
    this.#newToken = newToken
  }

  /** What the isolated worlds of one WebContents prove themselves with; `listener` is told what comes from them. */
  admit(listener: LinkListener): string {
    const token = this.#newToken()
    this.#listeners.set(token, listener)
    return token
  }

  /** To be called when an HTTP server is asked for a socket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const origin = request.headers.origin
    const offered = request.headers['sec-websocket-protocol'] ?? ''
    const [, listener] = [...this.#listeners].find(([token]) => isSame(offered, `ports, ${token}`)) ?? []
    if (origin === undefined || listener === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    const document = Number(new URLSearchParams(request.url?.split('?')[1]).get('document'))
    this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#serve(opened, document, listener))
  }

  /** To be called when an HTTP server is asked for a large message: each is there once. */
  answer(name: string, response: ServerResponse): void {
    const bytes = this.#large.get(name)
    this.#large.delete(name)
    response.writeHead(bytes === undefined ? 404 : 200, { 'cache-control': 'no-store' }).end(bytes)
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#sockets.close()
  }

  #serve(socket: WebSocket, document: number, listener: LinkListener): void {
    const ports = new Map<number, MainPort>()
    const unfetched = new Set<string>()
    const send = (value: unknown): void => {
      if (socket.readyState !== socket.OPEN) return
      const bytes = encodeValue(value)
      if (bytes.byteLength < largeBytes) socket.send(bytes)
      else {
        const name = this.#newToken()
        this.#large.set(name, bytes)
        unfetched.add(name)
        socket.send(name)
      }
    }
    const adopt = (id: number): MainPort => {
      const port = new MainPort({
        post: (value) => send({ port: id, value }),
        close: () => {
          if (ports.delete(id)) send({ port: id })
        },
      })
      ports.set(id, port)
      return port
    }
    socket.on('message', (data) => {
      const received = linkMessage.parse(decodeValue(bytesOf(data)))
      switch (received.kind) {
        case 'hand-over':
          listener.posted({ ...received, ports: received.ports.map(adopt), document })
          break
        case 'context-menu':
          listener.contextMenu(received)
          break
        case 'message':
          ports.get(received.port)?.receive(received.value)
          break
        case 'close': {
          const port = ports.get(received.port)
          ports.delete(received.port)
          port?.end()
          break
        }
      }
    })
    socket.on('close', () => {
      for (const name of unfetched) this.#large.delete(name)
      const left = [...ports.values()]
      ports.clear()
      for (const port of left) port.end()
    })
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

function isSame(offered: string, expected: string): boolean {
  const [a, b] = [Buffer.from(offered), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
