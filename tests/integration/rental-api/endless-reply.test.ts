import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createNetFetch } from '../../../src-main/desktop/network/net-fetch.ts'
import { problemOf } from '../../support/problem-of.ts'
import { createHttp } from '#services/rental-api/http.ts'
import { largestReplyBytes } from '#services/rental-api/reply.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'

const mebibyte = 1024 * 1024
const piece = Buffer.alloc(mebibyte, ' ')
const zippedPiece = gzipSync(Buffer.alloc(32 * mebibyte, ' '))

const replies = {
  plain: { headers: {}, piece },
  compressed: { headers: { 'content-encoding': 'gzip' }, piece: zippedPiece },
}

/** A service whose replies never end; `ended` resolves when the client has closed the connection. */
async function endlessService({ headers, piece: bytes }: (typeof replies)[keyof typeof replies]) {
  const closed = Promise.withResolvers<null>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.on('close', () => closed.resolve(null))
    const fill = (): void => {
      while (!response.destroyed && response.write(bytes));
    }
    response.on('drain', fill)
    fill()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const { port } = server.address() as AddressInfo
  return { serviceAddress: `http://127.0.0.1:${port}`, ended: closed.promise }
}

/** The client as the app has it, on sessions that close no connection by themselves. */
function client(serviceAddress: string) {
  let sessions = 0
  let mostBytes = 0
  const session = {
    fetch: (url: string, init?: RequestInit) => globalThis.fetch(url, init),
    closeAllConnections: () => Promise.resolve(),
    logInToProxy: () => Promise.resolve('not-it' as const),
  }
  const watching = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers)
  }, 5)
  onTestFinished(() => clearInterval(watching))
  const http = createHttp({
    fetch: createNetFetch({
      ready: Promise.resolve(),
      shared: () => session,
      apart: (slot) => {
        sessions = Math.max(sessions, slot + 1)
        return session
      },
    }),
    clock: systemClock,
    random: () => 0,
    credentials: () => Promise.resolve({ serviceAddress, bearer: 'key' }),
  })
  return { http, sessions: () => sessions, mostBytes: () => mostBytes }
}

describe.each(Object.entries(replies))('a %s reply without end', (_, reply) => {
  test.each(['GET', 'PUT'] as const)(
    'to %s is given up at the bound, with its connection',
    async (method) => {
      const { serviceAddress, ended } = await endlessService(reply)
      const { http, sessions, mostBytes } = client(serviceAddress)
      const before = process.memoryUsage().arrayBuffers
      const told = await problemOf(http.send({ method, path: '/', reply: z.unknown(), repeatable: false }))
      expect(told).toMatchObject({ kind: 'bad-reply', detail: 'far too long' })
      await ended
      // What was kept of it, and what the server and the decoder had under way.
      expect(mostBytes() - before).toBeLessThan(2 * largestReplyBytes)
      if (method === 'GET') return
      await problemOf(http.send({ method, path: '/', reply: z.unknown(), repeatable: false, timeoutMs: 1 }))
      expect(sessions()).toBe(1)
    },
  )
})
