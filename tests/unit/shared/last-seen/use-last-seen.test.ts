import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, reactive, shallowRef, type EffectScope } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import type { Seen } from '#domain/last-seen/last-seen.ts'

const instances = reactive({ isRemembered: true, instances: [], snapshot: { problem: null } })
vi.mock('#shared/instances/instances-store.ts', () => ({ useInstancesStore: () => instances }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
// VueUse has timers in a window only.
vi.stubGlobal('window', globalThis)
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
const { lateAfterMs, useLastSeen } =
  await import('../../../../src-renderer/shared/last-seen/use-last-seen.ts')

const unreachable: Problem = { kind: 'unreachable', cause: 'timeout', origin: 'https://rent.example' }
const refused: Problem = { kind: 'key-refused', message: '' }
const before: Seen<string> = { seenAt: 5, content: 'of before' }

let scope: EffectScope
beforeEach(() => {
  vi.useFakeTimers()
  instances.isRemembered = true
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
})

function open() {
  const problem = shallowRef<Problem | null>(null)
  const hasAnswer = shallowRef(false)
  const load = vi.fn(() => Promise.resolve<Seen<string> | null>(before))
  const retry = vi.fn()
  const shown = scope.run(() =>
    useLastSeen({ problem: () => problem.value, hasAnswer: () => hasAnswer.value, load, retry }),
  )
  if (shown === undefined) throw new Error('the scope has ended')
  return { problem, hasAnswer, load, retry, shown }
}
const untilLate = () => pass(lateAfterMs + 1)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('while a request hangs, what was seen before is shown as being checked; then as not up to date', async () => {
  const { problem, hasAnswer, shown } = open()
  await untilLate()
  expect(shown.value).toEqual({ ...before, isChecking: true })
  problem.value = unreachable
  expect(shown.value).toEqual({ ...before, isChecking: false })
  // Asked once more.
  problem.value = null
  expect(shown.value).toEqual({ ...before, isChecking: true })
  hasAnswer.value = true
  expect(shown.value).toBeNull()
})

test('an answer that comes at once has nothing shown before it; a failure that does is no reason to wait', async () => {
  const quick = open()
  await pass(lateAfterMs / 2)
  expect(quick.shown.value).toBeNull()
  quick.hasAnswer.value = true
  await untilLate()
  expect(quick.shown.value).toBeNull()
  expect(quick.load).not.toHaveBeenCalled()

  const failed = open()
  failed.problem.value = unreachable
  await pass(1)
  expect(failed.shown.value).toEqual({ ...before, isChecking: false })
})

test('where the service refuses, nothing of before is shown, also while it is asked again', async () => {
  const { problem, shown } = open()
  await untilLate()
  expect(shown.value).not.toBeNull()
  problem.value = refused
  await pass(1)
  expect(shown.value).toBeNull()
  problem.value = null
  await untilLate()
  expect(shown.value).toBeNull()
})

test('it is asked again once the service answers for the instances', async () => {
  const { problem, retry } = open()
  problem.value = unreachable
  await pass(1)
  expect(retry).not.toHaveBeenCalled()
  instances.isRemembered = false
  await pass(1)
  expect(retry).toHaveBeenCalledOnce()
})

test('it is asked again, once, when a request that hung over the outage fails after the service is back', async () => {
  const { problem, retry } = open()
  await untilLate()
  instances.isRemembered = false
  await pass(1)
  expect(retry).not.toHaveBeenCalled()
  problem.value = unreachable
  await pass(1)
  expect(retry).toHaveBeenCalledOnce()
  problem.value = null
  await pass(1)
  problem.value = unreachable
  await pass(1)
  expect(retry).toHaveBeenCalledOnce()
})
