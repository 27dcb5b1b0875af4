import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Fault } from './faults.ts'

/** What the caller gets to see. */
export interface Delivery {
  /** Status that the journal notes; null when no reply is sent at all. */
  readonly status: number | null
  send(env: HttpBindings): Response | Promise<Response>
}

/** What takes the place of the work, or null if the work is to be done first. */
export async function deliveryBeforeWork(fault: Fault): Promise<Delivery | null> {
  switch (fault.kind) {
    case 'delay':
      await pause(fault.ms)
      return null
    case 'reset-before':
      return RESET
    case '429':
    case '500':
    case '502-html':
    case '503':
    case 'refused':
      return fault.after_work ? null : whole(refusal(fault))
    case 'reset-after':
    case 'malformed-json':
    case 'wrong-types':
    case 'missing-fields':
    case 'truncated':
    case 'endless':
    case 'deep':
    case 'slow-drip':
      return null
  }
}

/** What becomes of the true reply once the work is done. */
export async function deliveryAfterWork(fault: Fault, reply: Response): Promise<Delivery> {
  switch (fault.kind) {
    case 'delay':
      return whole(reply)
    case 'reset-before':
    case 'reset-after':
      return RESET
    case '429':
    case '500':
    case '502-html':
    case '503':
    case 'refused':
      return whole(refusal(fault))
    case 'malformed-json':
      return whole(replaceBody(reply, (await reply.text()).replace(/[}\]]$/, ',]')))
    case 'wrong-types': {
      const value: unknown = await reply.json()
      return whole(replaceBody(reply, JSON.stringify(wrongTypes(value, fault))))
    }
    case 'missing-fields': {
      const value: unknown = await reply.json()
      const isThere = (field: string): boolean => !fault.fields.includes(field)
      const text = JSON.stringify(value, (field, inner: unknown) => (isThere(field) ? inner : undefined))
      return whole(replaceBody(reply, text))
    }
    case 'truncated':
      return { status: reply.status, send: (env) => sendHalf(reply, env) }
    case 'endless':
      return { status: reply.status, send: sendWithoutEnd }
    case 'deep':
      return whole(replaceBody(reply, deepen(await reply.text())))
    case 'slow-drip':
      return whole(await splitIntoPieces(reply, fault))
  }
}

/** Hands over a reply as it is. */
export const whole = (reply: Response): Delivery => ({ status: reply.status, send: () => reply })

/** No reply: the connection is reset, as by a router that has lost its state. */
const RESET: Delivery = {
  status: null,
  send({ incoming }) {
    incoming.socket.resetAndDestroy()
    return RESPONSE_ALREADY_SENT
  },
}

/** Keeps nobody waiting who wants to end the simulator. */
const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false })

function refusal(fault: Extract<Fault, { after_work: boolean }>): Response {
  switch (fault.kind) {
    case '429': {
      const headers = fault.retry_after === undefined ? {} : { 'Retry-After': String(fault.retry_after) }
      const msg = 'API requests too frequent'
      if (fault.shape === 'text') return new Response(msg, { status: 429, headers })
      const body = fault.shape === 'detail' ? { detail: msg } : { error: 'rate_limited', msg }
      return Response.json(body, { status: 429, headers })
    }
    case '500':
      return Response.json({ error: 'internal_error', msg: 'Internal server error' }, { status: 500 })
    case '502-html':
      return new Response(
        '<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>',
        {
          status: 502,
          headers: { 'Content-Type': 'text/html' },
        },
      )
    case '503':
      return Response.json({ error: 'service_unavailable', msg: 'Try again later' }, { status: 503 })
    case 'refused':
      return Response.json({ error: fault.error, msg: 'Refused' }, { status: fault.status })
  }
}

function replaceBody(reply: Response, body: BodyInit): Response {
  const headers = new Headers(reply.headers)
  headers.delete('Content-Length')
  return new Response(body, { status: reply.status, headers })
}

/** Every value of another type than it should have; lists and records stay, so that their fields are reached. */
function wrongTypes(
  value: unknown,
  fault: { readonly fields?: readonly string[] | undefined; readonly record?: number | undefined },
): unknown {
  const { fields, record } = fault
  if (record === undefined) return mistype(value, fields)
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index + 1 === record ? mistype(item, fields) : item))
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.entries(value).map(([field, one]: [string, unknown]) => [
    field,
    wrongTypes(one, fault),
  ])
  return Object.fromEntries(inner)
}

function mistype(value: unknown, fields: readonly string[] | undefined, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mistype(item, fields, name))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]: [string, unknown]) => [
        field,
        mistype(inner, fields, field),
      ]),
    )
  }
  if (fields !== undefined && !fields.includes(name)) return value
  if (typeof value === 'number') return `about ${String(value)}`
  if (typeof value === 'string') return value.length
  return { was: value }
}

/** Announces the whole body, sends half of it, and drops the connection. */
async function sendHalf(reply: Response, { outgoing }: HttpBindings): Promise<Response> {
  const body = Buffer.from(await reply.arrayBuffer())
  outgoing.writeHead(reply.status, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}

/** The first record gets a field that the API does not have, of 100,000 levels. */
function deepen(json: string): string {
  const levels = 100_000
  const deep = `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`
  return json.replace('{"', `{${deep},"`)
}

/** A little that unpacks to a lot, again and again, for as long as somebody listens. */
function sendWithoutEnd({ outgoing }: HttpBindings): Response {
  const piece = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '))
  outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
  const fill = (): void => {
    while (!outgoing.destroyed && outgoing.write(piece));
  }
  outgoing.on('drain', fill)
  fill()
  return RESPONSE_ALREADY_SENT
}

async function splitIntoPieces(reply: Response, fault: { ms: number; pieces: number }): Promise<Response> {
  const body = new Uint8Array(await reply.arrayBuffer())
  const pieceLength = Math.max(1, Math.ceil(body.length / fault.pieces))
  let sent = 0
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent > 0) await pause(fault.ms)
      controller.enqueue(body.slice(sent, sent + pieceLength))
      sent += pieceLength
      if (sent >= body.length) controller.close()
    },
  })
  return replaceBody(reply, stream)
}
