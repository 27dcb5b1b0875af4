import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { nextRaceStep, openFirst, type AddressTry } from '#services/ssh/connection/open-first.ts'
import type { OpenTransport } from '#services/ssh/connection/transport.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { waitFor } from '../../../support/wait-for.ts'

const direct = { host: '203.0.113.5', port: 40_022 }
const service = { host: 'ssh4.example.com', port: 31_022 }
const greeting = 'SSH-2.0-OpenSSH_9.2\r\n'

/** Two addresses whose streams the test speaks for; `refused` has none. */
function world({ refused = [] }: { readonly refused?: readonly SshAddress[] } = {}) {
  const streams = new Map<SshAddress, PassThrough>()
  const tried: SshAddress[] = []
  const failed: SshAddress[] = []
  let opened = 0
  const open: OpenTransport = (address) => {
    opened += 1
    if (refused.includes(address)) return Promise.reject(new SshFailure({ kind: 'refused' }))
    const stream = new PassThrough()
    streams.set(address, stream)
    return Promise.resolve({ stream, bytesRead: () => 0 })
  }
  const clock = new FakeClock()
  const abort = new AbortController()
  const racing = openFirst(
    [direct, service],
    {
      open,
      clock,
      onTry: (address) => void tried.push(address),
      onFailed: (address) => void failed.push(address),
    },
    abort.signal,
  )
  racing.catch(() => undefined) // each test looks at it itself
  const streamOf = (address: SshAddress) => waitFor(() => streams.get(address) ?? expect.fail('not opened'))
  return { racing, clock, abort, streamOf, tried, failed, opened: () => opened }
}

describe('of two addresses', () => {
  test('the second is tried 1.5 seconds after the first, not before, and the first that greets is handed over', async () => {
    const { racing, clock, streamOf, tried, failed } = world()
    const first = await streamOf(direct)
    await clock.advance(1_499)
    expect(tried).toEqual([direct])
    await clock.advance(1)
    const second = await streamOf(service)
    second.write(greeting)
    const { address, open } = await racing
    expect(address).toBe(service)
    expect(first.destroyed).toBe(true)
    const { stream } = await open(service, new AbortController().signal)
    expect(String(stream.read())).toBe(greeting)
    // That another one was faster says nothing of it.
    expect(failed).toEqual([])
  })

  test('the preferred one wins where both greet at once, and the other is closed', async () => {
    const { racing, clock, streamOf } = world()
    const first = await streamOf(direct)
    await clock.advance(1_500)
    const second = await streamOf(service)
    second.write(greeting)
    first.write(greeting)
    expect((await racing).address).toBe(direct)
    expect(second.destroyed).toBe(true)
  })

  test('one that begins a greeting and never ends it does not win', async () => {
    const { racing, clock, streamOf } = world()
    const first = await streamOf(direct)
    for (const letter of 'SSH-2.0-drip') first.write(letter)
    await clock.advance(1_500)
    ;(await streamOf(service)).write(greeting)
    expect((await racing).address).toBe(service)
    expect(first.destroyed).toBe(true)
  })

  test('one that speaks another version, or greets without end, leads nowhere', async () => {
    for (const words of ['SSH-1.5-old\r\n', 'x'.repeat(17 * 1024)]) {
      const { racing, streamOf, failed } = world()
      ;(await streamOf(direct)).write(words)
      ;(await streamOf(service)).write(greeting)
      expect((await racing).address).toBe(service)
      expect(failed).toEqual([direct])
    }
  })

  test('none is told where both fail, with what befell each', async () => {
    const { racing } = world({ refused: [direct, service] })
    await expect(racing).rejects.toMatchObject({
      problem: {
        kind: 'both-addresses',
        tries: [
          { address: direct, problem: { kind: 'refused' } },
          { address: service, problem: { kind: 'refused' } },
        ],
      },
    })
  })
})

describe('given up', () => {
  test('while addresses are tried, it closes them', async () => {
    const { racing, clock, streamOf, abort } = world()
    const first = await streamOf(direct)
    await clock.advance(1_500)
    const second = await streamOf(service)
    abort.abort(new Error('stopped'))
    await expect(racing).rejects.toThrow('stopped')
    expect([first.destroyed, second.destroyed]).toEqual([true, true])
  })

  test('after one has greeted and before it is taken, it closes that one and leads nowhere any more', async () => {
    const { racing, streamOf, abort, opened } = world()
    const first = await streamOf(direct)
    first.write(greeting)
    const { open } = await racing
    abort.abort(new Error('stopped'))
    expect(first.destroyed).toBe(true)
    await expect(open(direct, abort.signal)).rejects.toThrow('stopped')
    expect(opened()).toBe(1)
  })

  test('a transport that nobody takes is closed', async () => {
    const { racing, streamOf } = world()
    const first = await streamOf(direct)
    first.write(greeting)
    ;(await racing).close()
    expect(first.destroyed).toBe(true)
  })
})

const anyTries = fc.array(fc.constantFrom<AddressTry>('untried', 'trying', 'failed', 'greeted'), {
  minLength: 1,
  maxLength: 4,
})

describe('which address is tried next', () => {
  test('is the first one, then the next when that has failed or had its head start', () => {
    expect(nextRaceStep(['untried', 'untried'], false)).toEqual({ kind: 'try', index: 0 })
    expect(nextRaceStep(['trying', 'untried'], false)).toEqual({ kind: 'wait' })
    expect(nextRaceStep(['trying', 'untried'], true)).toEqual({ kind: 'try', index: 1 })
    expect(nextRaceStep(['failed', 'untried'], false)).toEqual({ kind: 'try', index: 1 })
    expect(nextRaceStep(['failed', 'trying'], true)).toEqual({ kind: 'wait' })
    expect(nextRaceStep(['trying', 'greeted'], true)).toEqual({ kind: 'won', index: 1 })
    expect(nextRaceStep(['failed', 'failed'], true)).toEqual({ kind: 'lost' })
  })

  test('is an untried one, in order; nothing waits for nobody, and one that greets always wins', () => {
    fc.assert(
      fc.property(anyTries, fc.boolean(), (now, isHeadStartOver) => {
        const step = nextRaceStep(now, isHeadStartOver)
        if (step.kind === 'won') expect(now[step.index]).toBe('greeted')
        else expect(now).not.toContain('greeted')
        if (step.kind === 'try') expect(step.index).toBe(now.indexOf('untried'))
        if (step.kind === 'wait') expect(now).toContain('trying')
        expect(step.kind === 'lost').toBe(now.every((each) => each === 'failed'))
      }),
    )
  })

  test('leads to one winner, or to a try of every address, whatever each of them does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('greets', 'fails', 'greets late'), { minLength: 1, maxLength: 4 }),
        (fates) => {
          const now: AddressTry[] = fates.map(() => 'untried')
          const order: number[] = []
          let isHeadStartOver = false
          for (;;) {
            const step = nextRaceStep(now, isHeadStartOver)
            if (step.kind === 'won') {
              expect(fates[step.index]).not.toBe('fails')
              break
            }
            if (step.kind === 'lost') {
              expect(fates.every((fate) => fate === 'fails')).toBe(true)
              break
            }
            if (step.kind === 'try') {
              order.push(step.index)
              const fate = fates[step.index]
              now[step.index] = fate === 'greets' ? 'greeted' : fate === 'fails' ? 'failed' : 'trying'
              isHeadStartOver = false
            } else if (!isHeadStartOver) isHeadStartOver = true
            else now[now.indexOf('trying')] = 'greeted'
          }
          expect(order).toEqual(order.map((_, place) => place))
        },
      ),
    )
  })
})
