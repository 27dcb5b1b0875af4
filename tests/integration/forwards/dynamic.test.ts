import { execFile } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../simulator/free-port.ts'
import { closed, echo, serve, startWorld } from './world.ts'
import { waitFor } from '../../support/wait-for.ts'

const run = promisify(execFile)

async function openProxy() {
  const world = await startWorld()
  const port = await findFreePort()
  const id = await world.open({ kind: 'dynamic', entrance: { port, reach: 'loopback' } })
  return { world, id, port }
}

/** A request to connect (RFC 1928 section 4). */
function request(host: string, port: number): Buffer {
  const name = Buffer.from(host)
  return Buffer.from([5, 1, 0, 3, name.length, ...name, port >> 8, port & 0xff])
}

const greeting = Buffer.from([5, 1, 0])

/** What comes back for these pieces, each sent by itself, until `bytes` have come or it is closed. */
async function say(port: number, pieces: readonly Buffer[], bytes: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const ended = closed(socket)
  let heard = Buffer.alloc(0)
  const enough = new Promise<void>((resolve) => {
    socket.on('data', (piece: Buffer) => {
      heard = Buffer.concat([heard, piece])
      if (heard.length >= bytes) resolve()
    })
  })
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.race([enough, ended])
  socket.destroy()
  return heard.toString('hex')
}

const granted = '0500' + '05000001000000000000'

describe('a dynamic forward', () => {
  test('leads curl by name and by both kinds of address, and says when nothing listens', async () => {
    const { port } = await openProxy()
    const page = createHttpServer((_, response) => void response.end('a page'))
    page.listen(0, '127.0.0.1')
    await once(page, 'listening')
    onTestFinished(() => void page.close())
    const address = page.address()
    const there = typeof address === 'object' && address !== null ? address.port : 0
    const curl = (proxy: string, host: string, to: number) =>
      run('curl', [
        '-sS',
        '--max-time',
        '60',
        '--proxy',
        `${proxy}://127.0.0.1:${port}`,
        `http://${host}:${to}/`,
      ])
    expect((await curl('socks5h', 'localhost', there)).stdout).toBe('a page')
    expect((await curl('socks5', '127.0.0.1', there)).stdout).toBe('a page')
    await expect(curl('socks5h', '127.0.0.1', await findFreePort())).rejects.toMatchObject({ code: 97 })
  })

  test('hears requests in whatever pieces they come, with what follows at once', async () => {
    const { port, world, id } = await openProxy()
    const { port: there } = await serve(echo)
    const whole = Buffer.concat([greeting, request('127.0.0.1', there), Buffer.from('early')])
    const early = Buffer.from('early').toString('hex')
    expect(await say(port, [whole], 17)).toBe(granted + early)
    const bytes = [...whole].map((byte) => Buffer.from([byte]))
    expect(await say(port, bytes, 17)).toBe(granted + early)
    await world.forwards.stop(id)
    // What was said to the proxy itself went nowhere.
    await waitFor(() =>
      expect(world.shown(id).traffic).toEqual({ sentBytes: 10, receivedBytes: 10, connections: 0 }),
    )
  })

  test('sends away who wants what it cannot do, without a word to the instance', async () => {
    const { port, world, id } = await openProxy()
    const bind = Buffer.from([5, 2, 0, 1, 127, 0, 0, 1, 0, 80])
    expect(await say(port, [greeting, bind], 99)).toBe('0500' + '05070001000000000000')
    expect(await say(port, [Buffer.from([5, 1, 2])], 99)).toBe('05ff')
    expect(await say(port, [greeting, request('no host\n', 80)], 99)).toBe('0500' + '05080001000000000000')
    expect(await say(port, [greeting, Buffer.from([5, 1, 0, 9, 1, 2])], 99)).toBe(
      '0500' + '05080001000000000000',
    )
    expect(await say(port, [Buffer.from('GET / HTTP/1.1\r\n\r\n')], 99)).toBe('')
    expect(world.shown(id).traffic.sentBytes).toBe(0)
  })
})
