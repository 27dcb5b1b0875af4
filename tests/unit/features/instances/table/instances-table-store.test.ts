import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { nextTick, reactive } from 'vue'
import type { FiguresSummary } from '#domain/figures/figures-summary.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'

const list = reactive<{ instances: readonly ListedInstance[]; snapshot: { fetchedAt: number } }>({
  ...{ instances: [], snapshot: { fetchedAt: 0 } },
})
vi.mock('#ipc/client.ts', () => ({ client: {} }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.mock('#shared/instances/instances-store.ts', () => ({ useInstancesStore: () => list }))
vi.mock('#shared/settings/preferences-store.ts', () => ({
  usePreferencesStore: () => ({ preferences: null, change: () => Promise.resolve() }),
}))
vi.mock('#shared/ssh/ssh-store.ts', () => ({ useSshStore: () => ({ addressOf: () => null }) }))
const { useInstancesTableStore } =
  await import('../../../../../src-renderer/features/instances/table/instances-table-store.ts')

const instance = (id: number): ListedInstance => ({
  id,
  status: 'running',
  record: { id },
  history: [],
  pending: null,
})
const summaryOf = (instanceId: number, isIdle: boolean): FiguresSummary => ({
  ...{ instanceId, kind: 'live', gpu: 0, gpuLine: [], gpuMemory: 0, disk: 0, isIdle },
})

beforeEach(() => {
  setActivePinia(createPinia())
  list.instances = [1, 2, 3].map(instance)
})

test('what is no longer idle is no longer selected with “Idle and paid”, and what is typed hides it only', async () => {
  const table = useInstancesTableStore()
  const say = async (...idle: readonly number[]): Promise<void> => {
    table.showFigures([1, 2, 3].map((id) => summaryOf(id, idle.includes(id))))
    await nextTick()
    list.snapshot = { fetchedAt: list.snapshot.fetchedAt + 1 }
    await nextTick()
  }
  const selected = () => table.selectedInstances.map(({ id }) => id)
  await say(1, 2)
  table.onlyIdle = true
  await nextTick()
  table.toggleAllRows()
  expect(selected()).toEqual([1, 2])
  table.quickText = '1'
  await nextTick()
  expect(selected()).toEqual([1, 2])
  await say(1)
  expect(selected()).toEqual([1])
  // Work that ends again doesn't select it again.
  await say(1, 2)
  expect(selected()).toEqual([1])
  table.onlyIdle = false
  await nextTick()
  expect(selected()).toEqual([1])
})
