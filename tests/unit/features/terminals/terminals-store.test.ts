import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { computed, ref, shallowRef } from 'vue'
import type { TabOptions, TerminalTab } from '../../../../src-renderer/features/terminals/terminal-tab.ts'

const asked = vi.hoisted((): TabOptions[] => [])
vi.mock('#shared/workbench/workbench-store.ts', () => ({
  useWorkbenchStore: () => ({ isVisible: true }),
}))
vi.mock('#shared/settings/preferences-store.ts', () => ({
  usePreferencesStore: () => ({ preferences: null }),
}))
vi.mock('../../../../src-renderer/features/terminals/page-turns.ts', () => ({ createPageTurns: () => ({}) }))
vi.mock('../../../../src-renderer/features/terminals/use-saved-terminals.ts', () => ({
  useSavedTerminals: () => ({ owner: ref(null), problem: ref(null), keeper: { wrote() {}, forget() {} } }),
}))
/** A terminal with an open shell, and no screen. */
vi.mock('../../../../src-renderer/features/terminals/terminal-tab.ts', () => ({
  createTab(options: TabOptions) {
    asked.push(options)
    const { key, instanceId, ordinal, wish, folder } = options
    return {
      key,
      instanceId,
      ordinal,
      line: { state: shallowRef({ kind: 'open' }) },
      screen: { focus() {}, setScreenReader() {} },
      wish: shallowRef(wish),
      folder: ref(folder),
      name: ref(null),
      title: computed(() => key),
      stopRinging() {},
      dispose: () => Promise.resolve(),
    } as unknown as TerminalTab
  },
}))
const { useTerminalsStore } = await import('../../../../src-renderer/features/terminals/terminals-store.ts')

beforeEach(() => {
  setActivePinia(createPinia())
  asked.length = 0
})

function openOne() {
  const store = useTerminalsStore()
  store.open(7)
  const [options] = asked
  if (!options) throw new Error('No terminal was made.')
  return { store, commanded: options.commanded }
}

test('closing a terminal asks first, and splitting opens another one', () => {
  const { store, commanded } = openOne()
  commanded('close')
  expect(store.closing?.instanceId).toBe(7)
  commanded('split-row')
  expect(store.tabs).toHaveLength(2)
})

test('a command that it does not know is refused and closes nothing', () => {
  const { store, commanded } = openOne()
  expect(() => commanded('explode' as Parameters<typeof commanded>[0])).toThrow('explode')
  expect(store.closing).toBeNull()
  expect(store.tabs).toHaveLength(1)
})
