import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterEvent,
  hasLasted,
  noConnection,
  retryPauseMs,
  type ConnectionEvent,
  type ConnectionProgress,
  type ConnectionQuestion,
} from '#domain/ssh/connection-lifecycle.ts'
import { connectionsList, type ConnectionFailure, type ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshProblem } from '#domain/ssh/ssh.ts'

const address = { host: '198.51.100.7', port: 40_022 }
const hop = { place: 1, of: 2 }
const offered = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:abc' }
const lost: SshProblem = { kind: 'link-lost', detail: 'reset' }

const questions: readonly ConnectionQuestion[] = [
  { kind: 'unknown-host', address, offered },
  { kind: 'unknown-host', address, offered, hop },
  {
    kind: 'passphrase',
    address,
    key: { path: '/home/me/.ssh/id_ed25519', fingerprint: null, attempt: 1, trouble: null },
  },
  {
    kind: 'login',
    address,
    hop,
    question: {
      ...{ id: 1, method: 'password' as const, user: 'root', name: '', instruction: '', prompts: [] },
      ...{ canRemember: true, canUsePassword: false, trouble: null },
    },
  },
]
const failures: readonly ConnectionFailure[] = [
  { kind: 'failed', problem: { kind: 'refused' }, address },
  { kind: 'failed', problem: { kind: 'stopped' }, address: null },
  {
    kind: 'host-key-changed',
    ...{ address, offered, trusted: [], file: '/known_hosts', revoked: false },
  },
]

const time = fc.integer({ min: 0, max: 100_000 })
const question = fc.constantFrom(...questions)
const event: fc.Arbitrary<ConnectionEvent> = fc.oneof(
  fc.constantFrom<ConnectionEvent[]>(
    { kind: 'wanted' },
    { kind: 'retried' },
    { kind: 'dismissed' },
    { kind: 'released' },
    { kind: 'trying', address: null },
    { kind: 'trying', address, hop },
    { kind: 'measured', latencyMs: 12, silentSince: null },
  ),
  question.map((asked) => ({ kind: 'asked', question: asked }) as const),
  fc
    .tuple(question, fc.boolean())
    .map(([asked, isTried]) => ({ kind: 'answered', question: asked, isTried }) as const),
  time.map((at) => ({ kind: 'opened', at, address, user: 'root' }) as const),
  time.map((at) => ({ kind: 'lost', at, problem: lost }) as const),
  fc.constantFrom(...failures).map((failure) => ({ kind: 'failed', failure }) as const),
  fc
    .tuple(time, fc.double({ min: 0, max: 0.999, noNaN: true }))
    .map(([at, chance]) => ({ kind: 'retry-wanted', at, chance }) as const),
)

/** Each step of a life: what happened, and what it was before and after. */
function lived(events: readonly ConnectionEvent[]) {
  let before: ConnectionProgress = noConnection
  return events.map((happened) => {
    const step = { happened, before, after: afterEvent(before, happened) }
    before = step.after
    return step
  })
}
const life = fc.array(event, { maxLength: 60, size: 'max' }).map(lived)
const after = (events: readonly ConnectionEvent[]) => lived(events).at(-1)?.after ?? noConnection
const isQuestion = ({ kind }: ConnectionState) => questions.some((asked) => asked.kind === kind)

describe('whatever happens, in whatever order', () => {
  test('the state is one of those that the window knows', () => {
    fc.assert(
      fc.property(life, (steps) => {
        for (const { after: then } of steps)
          expect(connectionsList.safeParse([{ instanceId: 1, state: then.state }]).success).toBe(true)
      }),
    )
  })

  test('every state has a way out for the user', () => {
    const wishes: readonly ConnectionEvent[] = [
      { kind: 'released' },
      { kind: 'dismissed' },
      { kind: 'failed', failure: { kind: 'failed', problem: { kind: 'stopped' }, address } },
      { kind: 'trying', address: null },
    ]
    fc.assert(
      fc.property(life, (steps) => {
        const { state } = steps.at(-1)?.after ?? noConnection
        const ways = wishes.map((wish) => afterEvent(after(steps.map(({ happened }) => happened)), wish))
        expect(ways.some((way) => way.state.kind !== state.kind)).toBe(true)
        // With two of them it is at rest, or on its way anew.
        const rests = ways.flatMap((way) => wishes.map((wish) => afterEvent(way, wish).state.kind))
        expect(rests).toContain('idle')
      }),
    )
  })

  test('only a question of the host leads to a question, and an answered one does not come back', () => {
    fc.assert(
      fc.property(life, (steps) => {
        for (const { happened, before, after: then } of steps) {
          if (isQuestion(then.state) && then.state !== before.state) expect(happened.kind).toBe('asked')
          if (happened.kind === 'answered' && !happened.isTried && happened.question === before.state)
            expect(then.state.kind).toBe('connecting')
          if (happened.kind === 'answered' && happened.question !== before.state) expect(then).toBe(before)
        }
      }),
    )
  })

  test('only a login that is done opens it, and only its end or nobody wanting it closes it', () => {
    fc.assert(
      fc.property(life, (steps) => {
        for (const { happened, before, after: then } of steps) {
          if (before.state.kind !== 'open' && then.state.kind === 'open') expect(happened.kind).toBe('opened')
          if (before.state.kind === 'open' && then.state.kind !== 'open')
            expect(['lost', 'released']).toContain(happened.kind)
        }
      }),
    )
  })

  test('a changed host key is left only by its user', () => {
    fc.assert(
      fc.property(life, (steps) => {
        for (const { happened, before, after: then } of steps)
          if (before.state.kind === 'host-key-changed' && then.state.kind !== 'host-key-changed')
            expect(['dismissed', 'trying', 'failed']).toContain(happened.kind)
      }),
    )
  })

  test('it waits only for a retry that it counts, and until a time that is to come', () => {
    fc.assert(
      fc.property(life, (steps) => {
        for (const { happened, before, after: then } of steps) {
          if (then.state.kind !== 'waiting' || before.state.kind === 'waiting') continue
          expect(happened).toMatchObject({ kind: 'retry-wanted' })
          expect(then.state.nextTry).toBe(then.tries + 1)
          expect(then.state.nextTry).toBeGreaterThan(1)
          if (happened.kind === 'retry-wanted') expect(then.state.retryAt).toBeGreaterThan(happened.at)
        }
      }),
    )
  })
})

describe('retries', () => {
  const chance = fc.double({ min: 0, max: 0.999, noNaN: true })

  test('are put off for longer each time, and never for more than 36 seconds', () => {
    fc.assert(
      fc.property(fc.nat(1_000), chance, (tries, by) => {
        expect(retryPauseMs(tries + 1, by)).toBeGreaterThanOrEqual(retryPauseMs(tries, by))
        expect(retryPauseMs(tries, by)).toBeLessThanOrEqual(36_000)
      }),
    )
    expect(retryPauseMs(0, 0.5)).toBe(0)
    expect([1, 2, 3, 4, 5, 6, 7].map((tries) => retryPauseMs(tries, 0.5))).toEqual([
      1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000,
    ])
  })

  const opened = { kind: 'opened', at: 50_000, address, user: 'root' } as const
  const failed = {
    kind: 'failed',
    failure: { kind: 'failed', problem: { kind: 'refused' }, address },
  } as const
  const wanted = { kind: 'retry-wanted', at: 70_000, chance: 0.5 } as const
  const retried: readonly ConnectionEvent[] = [{ kind: 'retried' }, { kind: 'trying', address: null }]

  test('the first follows at once, and the next ones wait', () => {
    const once = [
      { kind: 'trying', address: null },
      opened,
      { kind: 'lost', at: 50_100, problem: lost },
    ] as const
    expect(after([...once, wanted]).state).toMatchObject({ kind: 'failed', problem: lost })
    expect(after([...once, wanted, ...retried, failed, wanted]).state).toEqual({
      ...{ kind: 'waiting', problem: { kind: 'refused' }, address },
      ...{ retryAt: 71_000, nextTry: 2 },
    })
  })

  test.each([
    { stood: 9_999, tries: 1 },
    { stood: 10_000, tries: 0 },
  ])('a connection that stood for $stood ms leaves $tries tries counted', ({ stood, tries }) => {
    const ended = { kind: 'lost', at: 50_000 + stood, problem: lost } as const
    expect(after([...retried, opened, ended]).tries).toBe(tries)
    expect(hasLasted(50_000, 50_000 + stood)).toBe(tries === 0)
  })

  test('begin anew when somebody wants it at once', () => {
    const events = [...retried, failed, wanted, { kind: 'wanted' } as const]
    expect(after(events)).toMatchObject({ state: { kind: 'waiting' }, tries: 0 })
  })
})

test('an answer that the host still looks at leaves its question standing', () => {
  const [, , passphrase] = questions
  if (passphrase === undefined) throw new Error('there is no such question')
  const asked = [{ kind: 'trying', address } as const, { kind: 'asked', question: passphrase } as const]
  const answered = { kind: 'answered', question: passphrase } as const
  const tried = [...asked, { ...answered, isTried: true }]
  expect(after(tried).state).toBe(passphrase)
  expect(after([...tried, { kind: 'opened', at: 1, address, user: 'root' }]).state.kind).toBe('open')
  expect(after([...asked, { ...answered, isTried: false }]).state).toEqual({ kind: 'connecting', address })
})

test('how it failed stays in sight when nobody needs it anymore', () => {
  for (const failure of failures) {
    const events = [{ kind: 'trying', address } as const, { kind: 'failed', failure } as const]
    expect(after([...events, { kind: 'released' }]).state).toBe(failure)
    expect(after([...events, { kind: 'dismissed' }]).state).toEqual({ kind: 'idle' })
  }
})
