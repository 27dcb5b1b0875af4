import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { buildPreload, type FixtureApp, startFixture } from './fixture-app.ts'

let preload: Awaited<ReturnType<typeof buildPreload>> | undefined
let app: FixtureApp

beforeAll(async () => {
  preload = await buildPreload()
  app = await startFixture(preload.path)
  // What the page's own code does (src-renderer/ipc/client.ts), as functions that the tests below call.
  await app.page.evaluate(() => {
    const handOver = (request: unknown): MessagePort => {
      const { port1, port2 } = new MessageChannel()
      window.postMessage({ type: 'slipway:port', request }, location.origin, [port2])
      return port1
    }
    const next = (port: MessagePort): Promise<unknown> =>
      new Promise((resolve) => {
        port.onmessage = ({ data }) => resolve(data)
      })
    Object.assign(window, { handOver, next })
  })
})
afterAll(async () => {
  await app.close()
  await preload?.remove()
})

declare const handOver: (request: unknown) => MessagePort
declare const next: (port: MessagePort) => Promise<unknown>

describe('a port that the page hands over', () => {
  it('carries text and nested values both ways as they are', async () => {
    const sent = {
      text: 'é 你 \u{1f680} and a lone \ud800',
      nested: [1, -0, 1.5, null, true, { empty: {} }],
      $: 'a key of the framing',
    }
    const answer = await app.page.evaluate(async (value) => {
      const port = handOver({ kind: 'terminal', terminalId: 'values' })
      port.postMessage(value)
      return next(port)
    }, sent)
    expect(answer).toEqual(sent)
  })

  it('carries every byte both ways, alone and inside of a value', async () => {
    const isExact = await app.page.evaluate(async () => {
      const bytes = Uint8Array.from({ length: 200_003 }, (_, index) => (index * 7 + (index >> 8)) & 255)
      const port = handOver({ kind: 'terminal', terminalId: 'bytes' })
      port.postMessage(bytes)
      const alone = await next(port)
      port.postMessage({
        piece: bytes.slice(3, 99),
        none: new Uint8Array(0),
        gone: undefined,
        big: 2n ** 70n,
      })
      const inside = await next(port)
      if (!(alone instanceof Uint8Array) || typeof inside !== 'object' || inside === null)
        return 'other types'
      const equal = (a: Uint8Array, b: unknown) =>
        b instanceof Uint8Array && a.length === b.length && a.every((byte, index) => byte === b[index])
      const { piece, none, gone, big } = Object.assign({ piece: 0, none: 0, gone: 0, big: 0 }, inside)
      return [
        equal(bytes, alone),
        equal(bytes.subarray(3, 99), piece),
        equal(new Uint8Array(0), none),
        gone === undefined,
        String(big) === String(2n ** 70n),
      ]
    })
    expect(isExact).toEqual([true, true, true, true, true])
  })

  it('carries much output from main without losing any', async () => {
    const size = 16 << 20
    const counted = await app.page.evaluate(async (bytes) => {
      const port = handOver({ kind: 'terminal', terminalId: 'much' })
      return new Promise((resolve) => {
        let [length, sum] = [0, 0]
        port.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
          length += data.length
          sum = data.reduce((total, byte) => total + byte, sum)
          if (length >= bytes) resolve({ length, sum })
        }
        port.postMessage({ send: bytes })
      })
    }, size)
    expect(counted).toEqual({ length: size, sum: size * 7 })
  })

  it('keeps the order of what is posted before it is taken', async () => {
    const answers = await app.page.evaluate(async () => {
      const port = handOver({ kind: 'terminal', terminalId: 'order' })
      const arrived: unknown[] = []
      const all = new Promise<unknown[]>((resolve) => {
        port.onmessage = ({ data }) => {
          if (arrived.push(data) === 500) resolve(arrived)
        }
      })
      for (let index = 0; index < 500; index += 1) port.postMessage(index)
      return all
    })
    expect(answers).toEqual(Array.from({ length: 500 }, (_, index) => index))
  })

  it('keeps the order of large and small messages, and closes behind them', async () => {
    const arrived = await app.page.evaluate(async () => {
      const port = handOver({ kind: 'terminal', terminalId: 'sizes' })
      const arrived: unknown[] = []
      const closed = new Promise((resolve) => port.addEventListener('close', resolve))
      port.onmessage = ({ data }) =>
        arrived.push(typeof data === 'string' ? [data.length, data.at(-1)] : data)
      const sizes = [1, 3_000_000, 2, 300_000, 1_000_000, 3]
      for (const [at, size] of sizes.entries())
        port.postMessage(`${'"'.repeat(size)}${at % 2 === 0 ? at : 'é'}`)
      port.postMessage('close')
      await closed
      return arrived
    })
    expect(arrived).toEqual([
      [2, '0'],
      [3_000_001, 'é'],
      [3, '2'],
      [300_001, 'é'],
      [1_000_001, '4'],
      [4, 'é'],
    ])
  })

  it('is closed for the page when main closes it, and for main when the page does', async () => {
    await app.page.evaluate(async () => {
      const port = handOver({ kind: 'terminal', terminalId: 'closed-by-main' })
      const closed = new Promise((resolve) => port.addEventListener('close', resolve))
      port.start()
      port.postMessage('close')
      await closed
    })
    await app.sees('port closed: closed-by-main')
    await app.page.evaluate(async () => {
      const port = handOver({ kind: 'terminal', terminalId: 'closed-by-page' })
      port.postMessage('is it open?')
      await next(port)
      port.close()
    })
    await app.sees('port closed: closed-by-page')
  })

  it('is refused and closed when the contract does not know its use', async () => {
    await app.page.evaluate(async () => {
      const port = handOver({ kind: 'everything' })
      const closed = new Promise((resolve) => port.addEventListener('close', resolve))
      port.start()
      await closed
    })
    await app.sees('Refused a port: the contract does not know what it is for')
  })

  it('is closed in main when the page is loaded again, and the new page gets its own', async () => {
    const stillOpen = async () => {
      const events = await app.events()
      return events.split('port terminal').length - events.split('port closed').length
    }
    await app.page.evaluate(async () => {
      const port = handOver({ kind: 'terminal', terminalId: 'left-behind' })
      port.postMessage('is it open?')
      await next(port)
    })
    expect(await stillOpen()).toBeGreaterThan(0)
    await app.page.reload()
    await expect.poll(stillOpen).toBe(0)
    const answer = await app.page.evaluate(async () => {
      const { port1, port2 } = new MessageChannel()
      const request = { kind: 'terminal', terminalId: 'after' }
      window.postMessage({ type: 'slipway:port', request }, location.origin, [port2])
      port1.postMessage('still there')
      return new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
    })
    expect(answer).toBe('still there')
  })

  it('is taken from the page that is there, however soon it came after others that asked too', async () => {
    await app.page.addInitScript(() => {
      const { port1, port2 } = new MessageChannel()
      const request = { kind: 'terminal', terminalId: 'at once' }
      addEventListener('DOMContentLoaded', () => {
        window.postMessage({ type: 'slipway:port', request }, location.origin, [port2])
        port1.postMessage('there?')
      })
      const answered = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
      Object.assign(window, { answered })
    })
    for (let waitMs = 0; waitMs < 60; waitMs += 3) {
      await app.page.reload({ waitUntil: 'commit' })
      await sleep(waitMs)
      // Between the two documents, Chromium takes no command for a page for a moment; such a command changed nothing.
      await waitFor(() => app.page.reload())
      expect(await app.page.evaluate('answered')).toBe('there?')
    }
  })
})
