import { expect, test } from 'vitest'
import type { SpeedTestView } from '#domain/figures/speed-test.ts'
import { SpeedTests } from '#services/figures/speed-tests.ts'
import { settle } from '../../support/fake-clock.ts'
import { fakeInstance, rented } from './fake-instance.ts'

function tested(commands: 'end' | 'hang', beforeItConnects: (one: ReturnType<typeof fakeInstance>) => void) {
  const instance = fakeInstance(commands)
  instance.setRecord(rented)
  const { clock, log, notes, lease } = instance
  const tests = new SpeedTests({
    ...{ clock, log, notes },
    connections: {
      acquire: async () => {
        beforeItConnects(instance)
        return lease
      },
    },
    diskScript: async () => '',
    randomId: () => 'a',
  })
  return { ...instance, tests }
}

/** What a window that opens now sees. */
async function seen(tests: SpeedTests): Promise<SpeedTestView> {
  const first = await tests.watch(1).next()
  if (first.done === true) throw new Error('It has ended')
  return first.value
}

test('what was measured isn’t kept for another instance that was given its id meanwhile', async () => {
  const { tests, written } = tested('end', ({ setRecord }) => setRecord({ ...rented, machine_id: 8 }))
  tests.start(1)
  await expect.poll(async () => (await seen(tests)).state.kind).toBe('idle')
  expect((await seen(tests)).result).toBeNull()
  expect(written).toEqual([])
})

test('a cancel that the instance doesn’t follow is said to be none, until the next visit', async () => {
  const { tests, clock } = tested('hang', () => undefined)
  const views: SpeedTestView['state'][] = []
  const visit = new AbortController()
  void (async () => {
    for await (const { state } of tests.watch(1, visit.signal)) views.push(state)
  })()
  tests.start(1)
  await settle()
  const canceled = tests.cancel(1)
  await settle()
  expect(views.at(-1)?.kind).toBe('running')
  await clock.advance(10_000)
  await canceled
  await settle()
  expect(views.at(-1)).toEqual({ kind: 'canceled', isLeft: true })
  visit.abort()
  expect((await seen(tests)).state).toEqual({ kind: 'idle' })
})
