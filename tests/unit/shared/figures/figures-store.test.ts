import { createPinia, setActivePinia } from 'pinia'
import { expect, test, vi } from 'vitest'
import { nextTick, shallowRef } from 'vue'
import type { FiguresAlarms } from '#domain/figures/figures-alarm.ts'

const latest = shallowRef<FiguresAlarms>([])
vi.mock('#ipc/client.ts', () => ({ client: { figures: { watchAlarms: null } } }))
vi.mock('#ipc/watch.ts', () => ({ useWatch: () => ({ latest }) }))
const { useFiguresStore } = await import('../../../../src-renderer/shared/figures/figures-store.ts')

const idle = { kind: 'gpuIdle', since: 0 } as const
const full = { kind: 'diskFull', path: '/', percent: 95 } as const

test('a banner that was dismissed stays away until what it told is over', async () => {
  setActivePinia(createPinia())
  const store = useFiguresStore()
  latest.value = [{ instanceId: 1, alarms: [idle, full], lasting: ['gpuIdle', 'diskFull'] }]
  await nextTick()
  store.dismiss(['1-gpuIdle'])
  latest.value = [{ instanceId: 1, alarms: [], lasting: ['gpuIdle'] }]
  await nextTick()
  expect(store.alarms).toEqual([])
  latest.value = [{ instanceId: 1, alarms: [{ ...idle }], lasting: ['gpuIdle'] }]
  await nextTick()
  expect(store.dismissed).toEqual(new Set(['1-gpuIdle']))
  expect(store.alarmsOf(1)).toHaveLength(1)
  latest.value = []
  await nextTick()
  expect(store.dismissed).toEqual(new Set())
})
