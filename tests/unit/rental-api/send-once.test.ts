import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { mayHaveHappened } from '#domain/rental-api/service-errors.ts'
import { sendOnce } from '#services/rental-api/send-once.ts'

const refusals: readonly Problem[] = [
  { kind: 'refused', status: 404, code: 'no_such_ask', message: '' },
  { kind: 'not-allowed', code: 'scope', message: '' },
  { kind: 'rate-limited', retryAfterSeconds: null, message: '' },
  { kind: 'unreachable', cause: 'refused', origin: '' },
  { kind: 'no-account' },
]
const losses: readonly Problem[] = [
  { kind: 'unreachable', cause: 'reset', origin: '' },
  { kind: 'unreachable', cause: 'timeout', origin: '' },
  { kind: 'service-failed', status: 502, message: '' },
  { kind: 'bad-reply', status: 200, path: 'new_contract', detail: '' },
  { kind: 'redirected', origin: '' },
]

/** What one of the parts does: it works, or fails with this. */
type Deed = Error | null
const fault = fc.constantFrom(...refusals, ...losses).map((problem) => new ProblemError(problem))
const unforeseen = fc.string().map((message) => new TypeError(message))
const deed = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fault },
  { weight: 1, arbitrary: unforeseen },
)
const world = fc.record({ keep: deed, send: deed, drop: deed, lookUp: deed, hasIntent: fc.boolean() })
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

async function played(deeds: World) {
  const steps: string[] = []
  const perform = async (name: string, outcome: Deed): Promise<void> => {
    steps.push(`${name} begins`)
    await Promise.resolve()
    steps.push(`${name} ends`)
    if (outcome !== null) throw outcome
  }
  const intent = {
    keep: () => perform('keep', deeds.keep),
    drop: () => perform('drop', deeds.drop),
  }
  let lookedUpFor: unknown = null
  const outcome = await sendOnce<'reply' | 'found'>(
    deeds.hasIntent ? intent : null,
    async () => {
      await perform('send', deeds.send)
      return 'reply'
    },
    async (error) => {
      lookedUpFor = error
      await perform('lookUp', deeds.lookUp)
      return 'found'
    },
  ).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  return { steps: steps.filter((step) => step.endsWith('begins')), all: steps, outcome, lookedUpFor }
}

const isRefusal = (error: Deed): boolean => error instanceof ProblemError && !mayHaveHappened(error.problem)

test('the intent is kept before anything is sent, and nothing is sent twice or without it', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (deeds) => {
      const { all, steps } = await played(deeds)
      expect(steps.filter((step) => step === 'send begins').length).toBe(
        deeds.hasIntent && deeds.keep !== null ? 0 : 1,
      )
      if (deeds.hasIntent) expect(all.slice(0, 2)).toEqual(['keep begins', 'keep ends'])
      expect(new Set(all).size).toBe(all.length)
    }),
  )
})

test('the intent is dropped only after a refusal, and never after a reply or a loss', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (deeds) => {
      const { steps } = await played(deeds)
      const isSent = steps.includes('send begins')
      expect(steps.includes('drop begins')).toBe(deeds.hasIntent && isSent && isRefusal(deeds.send))
      expect(steps.includes('lookUp begins')).toBe(isSent && deeds.send !== null && !isRefusal(deeds.send))
    }),
  )
})

test('the answer is the reply, what was looked up, or the first failure that keeps both away', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (deeds) => {
      const { outcome, lookedUpFor } = await played(deeds)
      if (deeds.hasIntent && deeds.keep !== null) expect(outcome).toEqual({ error: deeds.keep })
      else if (deeds.send === null) expect(outcome).toEqual({ value: 'reply' })
      else if (isRefusal(deeds.send))
        expect(outcome).toEqual({ error: (deeds.hasIntent && deeds.drop) || deeds.send })
      else {
        expect(lookedUpFor).toBe(deeds.send)
        expect(outcome).toEqual(deeds.lookUp === null ? { value: 'found' } : { error: deeds.lookUp })
      }
    }),
  )
})

test.each(refusals)('$kind says for sure that nothing was done', async (problem) => {
  const refusal = new ProblemError(problem)
  const { outcome, steps } = await played({
    ...{ keep: null, drop: null, lookUp: null, hasIntent: true },
    send: refusal,
  })
  expect(outcome).toEqual({ error: refusal })
  expect(steps).toEqual(['keep begins', 'send begins', 'drop begins'])
})

test.each([...losses.map((problem) => new ProblemError(problem)), new TypeError('unforeseen')])(
  'after $message it is looked up what was done',
  async (lost) => {
    const { outcome, steps } = await played({
      ...{ keep: null, drop: null, lookUp: null, hasIntent: true },
      send: lost,
    })
    expect(outcome).toEqual({ value: 'found' })
    expect(steps).toEqual(['keep begins', 'send begins', 'lookUp begins'])
  },
)
