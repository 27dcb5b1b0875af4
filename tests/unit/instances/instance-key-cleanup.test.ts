import { expect, test } from 'vitest'
import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError } from '#domain/base/problem.ts'
import { InstanceKeyCleanup } from '#services/instances/instance-key-cleanup.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

const nothing: InstancesSnapshot = {
  instances: null,
  unreadable: [],
  fetchedAt: null,
  problem: null,
  nextPollAt: null,
  notices: [],
}

function instanceKeyCleanup() {
  const forgotten: number[][] = []
  const state = { isLocked: false }
  const snapshot = new Latest<InstancesSnapshot>(nothing)
  const log = memoryLog()
  const kept = new InstanceKeyCleanup({
    forgetGone: async (listed) => {
      if (state.isLocked) throw new ProblemError({ kind: 'keychain-locked', detail: '' })
      forgotten.push([...listed])
    },
    watch: { snapshot },
    log,
  })
  return { kept, snapshot, forgotten, state, log }
}

test('each new list is asked once, the same list again is not', async () => {
  const { kept, snapshot, forgotten, state, log } = instanceKeyCleanup()
  const end = new AbortController()
  const following = kept.follow(end.signal)
  await settle()
  expect(forgotten).toEqual([])
  snapshot.set({ ...nothing, instances: [], fetchedAt: 2 })
  await settle()
  snapshot.set({ ...nothing, instances: [], fetchedAt: 2, nextPollAt: 9 })
  await settle()
  expect(forgotten).toEqual([[]])
  state.isLocked = true
  snapshot.set({ ...nothing, instances: [], fetchedAt: 3 })
  await settle()
  expect(log.lines.join()).toContain('keychain-locked')
  state.isLocked = false
  snapshot.set({ ...nothing, instances: [], fetchedAt: 4 })
  await settle()
  expect(forgotten).toEqual([[], []])
  // It may be what the list lacks.
  snapshot.set({
    ...nothing,
    instances: [],
    fetchedAt: 5,
    unreadable: [{ place: 1, id: null, detail: 'id' }],
  })
  await settle()
  expect(forgotten).toEqual([[], []])
  end.abort()
  await following
})
