import { expect, test } from 'vitest'
import { nothingListed, type InstancesSnapshot } from '#domain/instances/instance.ts'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError } from '#domain/base/problem.ts'
import { InstanceKeyCleanup } from '#services/instances/instance-key-cleanup.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

function instanceKeyCleanup() {
  const forgotten: number[][] = []
  const state = { isLocked: false }
  const snapshot = new Latest<InstancesSnapshot>(nothingListed)
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
  snapshot.set({ ...nothingListed, instances: [], fetchedAt: 2 })
  await settle()
  snapshot.set({ ...nothingListed, instances: [], fetchedAt: 2, nextPollAt: 9 })
  await settle()
  expect(forgotten).toEqual([[]])
  state.isLocked = true
  snapshot.set({ ...nothingListed, instances: [], fetchedAt: 3 })
  await settle()
  expect(log.lines.join()).toContain('keychain-locked')
  state.isLocked = false
  snapshot.set({ ...nothingListed, instances: [], fetchedAt: 4 })
  await settle()
  expect(forgotten).toEqual([[], []])
  // It may be what the list lacks.
  snapshot.set({
    ...nothingListed,
    instances: [],
    fetchedAt: 5,
    unreadable: [{ place: 1, id: null, detail: 'id' }],
  })
  await settle()
  expect(forgotten).toEqual([[], []])
  end.abort()
  await following
})
