import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { computed, ref, shallowRef } from 'vue'
import type { FollowedTerminal } from '#domain/terminals/followed-terminal.ts'
import type { TabOptions, TerminalTab } from '../../../../src-renderer/features/terminals/terminal-tab.ts'

const asked = vi.hoisted((): TabOptions[] => [])
const ended = vi.hoisted((): (number | null)[] => [])
const followed = vi.hoisted((): { value: readonly FollowedTerminal[] } => ({ value: [] }))
vi.mock('#ipc/client.ts', () => ({ client: { terminals: {} } }))
vi.mock('#ipc/watch.ts', () => ({ useWatch: () => ({ latest: followed }) }))
const connected = vi.hoisted((): number[] => [])
vi.mock('#shared/workbench/workbench-store.ts', () => ({
  useWorkbenchStore: () => ({ isVisible: true }),
}))
vi.mock('#shared/runs/snippets-store.ts', () => ({ useSnippetsStore: () => ({ snippets: [] }) }))
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
    const { key, instanceId, ordinal, wish, folder, start } = options
    return {
      key,
      instanceId,
      ordinal,
      line: {
        state: shallowRef({ kind: 'open' }),
        terminalId: shallowRef('t1'),
        commandEnded: (code: number | null) => ended.push(code),
      },
      connect: () => void connected.push(instanceId),
      screen: { focus() {}, setScreenReader() {} },
      wish: shallowRef(wish),
      folder: ref(folder),
      start: ref(start),
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
  connected.length = 0
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

test('a duplicate and a split begin in the same folder, with the same start command', () => {
  const store = useTerminalsStore()
  const same = { folder: '/workspace', start: { kind: 'snippet', id: 'a' } } as const
  store.open(7, same)
  for (const command of ['duplicate', 'split-row', 'split-column'] as const) asked[0]?.commanded(command)
  expect(asked).toHaveLength(4)
  for (const options of asked) expect(options).toMatchObject({ instanceId: 7, ...same })
})

test('a command that it does not know is refused and closes nothing', () => {
  const { store, commanded } = openOne()
  expect(() => commanded('explode' as Parameters<typeof commanded>[0])).toThrow('explode')
  expect(store.closing).toBeNull()
  expect(store.tabs).toHaveLength(1)
})

test('the end of a command that a shell tells goes to main only while its user waits for that', () => {
  const { store } = openOne()
  const [tab] = store.tabs
  if (!tab) throw new Error('No terminal was made.')
  asked[0]?.commandEnded(tab, 1)
  expect(store.notifies(tab)).toBe(false)
  followed.value = [{ terminalId: 't1', notifies: true, log: null }]
  asked[0]?.commandEnded(tab, 2)
  expect(store.notifies(tab)).toBe(true)
  expect(ended).toEqual([2])
})

test('several terminals in tabs stand behind each other, and those that nobody sees connect all the same', () => {
  const store = useTerminalsStore()
  store.openAll({ instanceIds: [7, 8, 9], areTiles: false, isBroadcast: false, folder: null })
  expect(store.active?.instanceId).toBe(7)
  expect(store.layout).toMatchObject({ kind: 'group', shown: store.tabs[0]?.key })
  expect(connected).toEqual([8, 9])
  expect(store.broadcast.count).toBe(0)
})

test('several terminals side by side may share what is typed, and no one else does', () => {
  const store = useTerminalsStore()
  store.open(1)
  store.open(2)
  for (const { key } of store.tabs) store.broadcast.toggle(key)
  store.openAll({ instanceIds: [7, 8], areTiles: true, isBroadcast: true, folder: null })
  expect(store.layout).toMatchObject({ kind: 'split', direction: 'column' })
  const sharing = store.tabs.filter(({ key }) => store.broadcast.isChosen(key))
  expect(sharing.map(({ instanceId }) => instanceId)).toEqual([7, 8])
  const [, , seventh] = store.tabs
  if (!seventh) throw new Error('it was opened')
  expect(store.receivers(seventh).map(({ instanceId }) => instanceId)).toEqual([7, 8])
})
