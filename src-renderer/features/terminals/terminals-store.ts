import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { ShellWish } from '#domain/shell-wish.ts'
import type { TerminalDesk } from '#domain/terminal-desk.ts'
import type { Direction, Group, Layout } from '#domain/terminal-layout.ts'
import { useOpenTerminalsStore } from '#ui/stores/open-terminals.ts'
import { usePreferencesStore } from '#ui/stores/preferences.ts'
import { createBroadcast } from './broadcast.ts'
import { createClosedTerminals } from './closed-terminals.ts'
import { useKeptDesk, type FormerTerminal } from './kept-desk.ts'
import {
  addKey,
  groupOf,
  groupsOf,
  layoutOf,
  moveKey,
  removeKey,
  resizeSplit as resized,
  showKey,
  splitGroup,
} from './layout.ts'
import { createPageTurns } from './page-turns.ts'
import { freeSession, wishOf } from './session-names.ts'
import { isLive } from './state-words.ts'
import { createTab, type TabOptions, type TerminalTab } from './terminal-tab.ts'
import type { ClipboardAnswers } from './terminal-questions.ts'
import { createWriteScheduler } from './write-scheduler.ts'

interface OpenOptions {
  /** The group whose tab it becomes; by default the one that is worked in. */
  readonly group?: string
  /** Of its tab among the group's; by default the last. */
  readonly place?: number
  /** Beside or below that group, in a group of its own, instead of among its tabs. */
  readonly split?: Direction
  readonly name?: string | null
  readonly wish?: ShellWish
}

/** The open terminals. They live here, so that leaving the page keeps shells and screens. */
export const useTerminalsStore = defineStore('terminals', () => {
  const preferences = usePreferencesStore()
  const rail = useOpenTerminalsStore()
  const scheduler = createWriteScheduler(createPageTurns())
  const tabs = shallowRef<readonly TerminalTab[]>([])
  const layout = shallowRef<Layout | null>(null)
  const activeKey = ref<string | null>(null)
  const active = computed(() => tabs.value.find(({ key }) => key === activeKey.value) ?? null)
  /** Those of the last time that were not wanted yet. */
  const resting = computed(() => tabs.value.filter(({ line }) => line.state.value.kind === 'resting'))
  /** The one that is closed when the user agrees to lose its shell. */
  const closing = shallowRef<TerminalTab | null>(null)
  /** The one whose name is being typed. */
  const renaming = shallowRef<TerminalTab | null>(null)
  /** The one for which the user chooses what runs in it. */
  const choosing = shallowRef<TerminalTab | null>(null)
  /** The one whose tab is being dragged. */
  const dragged = shallowRef<TerminalTab | null>(null)
  const screenReader = ref(false)
  const closed = createClosedTerminals()
  const broadcast = createBroadcast(tabs)
  const clipboardAnswers: ClipboardAnswers = new Map()
  const kept = useKeptDesk({ tabs, layout, active: () => activeKey.value, restore })

  watch(tabs, ({ length }) => (rail.count = length))
  watch(screenReader, (on) => {
    for (const { screen } of tabs.value) screen.setScreenReader(on)
  })

  watch(
    () => preferences.preferences?.terminals,
    (settings) => {
      if (!settings) return
      for (const { screen } of tabs.value) screen.setSettings(settings)
    },
  )

  /** In front of its group, and the one that is worked in. */
  function activate(tab: TerminalTab): void {
    if (layout.value) layout.value = showKey(layout.value, tab.key)
    activeKey.value = tab.key
    for (const key of groupsOf(layout.value).map(({ shown }) => shown)) tabOf(key)?.stopRinging()
  }

  function tabOf(key: string): TerminalTab | undefined {
    return tabs.value.find((tab) => tab.key === key)
  }

  /** Brings it to the front and gives it the keyboard. */
  function enter(tab: TerminalTab): void {
    activate(tab)
    tab.screen.focus()
  }

  /** The smallest number that no other terminal of the instance has. */
  function freeOrdinal(instanceId: number): number {
    const taken = new Set(
      tabs.value.filter((tab) => tab.instanceId === instanceId).map(({ ordinal }) => ordinal),
    )
    let ordinal = 1
    while (taken.has(ordinal)) ordinal += 1
    return ordinal
  }

  /** What the user wants to run in new terminals; each has a session of its own. */
  function newWish(instanceId: number): ShellWish {
    const kind = preferences.preferences?.terminals.newShell ?? 'plain'
    return wishOf(kind, freeSession(tabs.value.filter((tab) => tab.instanceId === instanceId)))
  }

  /** The group that is worked in. */
  function activeGroup(): string {
    const groups = groupsOf(layout.value)
    return (groups.find(({ keys }) => keys.includes(activeKey.value ?? '')) ?? groups[0])?.id ?? 'group'
  }

  function place(key: string, { group = activeGroup(), place: at = Infinity, split }: OpenOptions): void {
    const known = groupsOf(layout.value).some(({ id }) => id === group)
    const target = known ? group : activeGroup()
    layout.value =
      split && layout.value
        ? splitGroup(layout.value, target, { direction: split, key, id: `group-${key}` })
        : addKey(layout.value, target, key, at)
  }

  /** Opens a shell on an instance, with the name that the shell gives itself unless there is another. */
  function open(instanceId: number, options: OpenOptions = {}): void {
    const key = `terminal-${crypto.randomUUID()}`
    const wish = options.wish ?? newWish(instanceId)
    const tab = addTab({ key, instanceId, name: options.name ?? null, wish })
    place(tab.key, options)
    enter(tab)
  }

  function addTab(own: Pick<TabOptions, 'key' | 'instanceId' | 'name' | 'wish' | 'former'>): TerminalTab {
    const tab = createTab({
      ...own,
      owner: kept.owner.value,
      ordinal: freeOrdinal(own.instanceId),
      scheduler,
      clipboardAnswers,
      shared: ({ key }, input) => broadcast.send(key, input),
      wrote: ({ key }) => kept.keeper.wrote(key),
      commanded(command) {
        if (command === 'duplicate') duplicate(tab)
        else if (command === 'split-row') split(tab, 'row')
        else if (command === 'split-column') split(tab, 'column')
        else if (command === 'next-group') enterNextGroup(tab)
        else if (command === 'reopen') reopen()
        else if (command === 'broadcast') broadcast.toggle(tab.key)
        else askToClose(tab)
      },
    })
    tab.screen.setScreenReader(screenReader.value)
    if (preferences.preferences) tab.screen.setSettings(preferences.preferences.terminals)
    tabs.value = [...tabs.value, tab]
    return tab
  }

  /** Opens the terminals of the last time, and among them what has been opened meanwhile. */
  function restore(desk: TerminalDesk, terminals: readonly FormerTerminal[]): void {
    const isResting = !preferences.preferences?.terminals.connectAtStart
    const meanwhile = activeKey.value
    for (const { title, screen, ...own } of terminals)
      addTab({ ...own, former: { title, screen, isResting } })
    layout.value = layoutOf(
      desk.layout,
      tabs.value.map(({ key }) => key),
    )
    const worked = tabOf(meanwhile ?? desk.active ?? groupsOf(layout.value)[0]?.shown ?? '')
    if (worked) activate(worked)
  }

  function connectAll(): void {
    for (const tab of resting.value) void tab.reconnect()
  }

  function resizeSplit(id: string, sizes: readonly number[]): void {
    if (layout.value) layout.value = resized(layout.value, id, sizes)
  }

  /** Another shell on the same machine, among the same tabs. */
  function duplicate(tab: TerminalTab): void {
    const group = groupOf(layout.value, tab.key)
    if (group) open(tab.instanceId, { group: group.id, place: group.keys.indexOf(tab.key) + 1 })
  }

  /** Another shell on the same machine, beside or below. */
  function split(tab: TerminalTab, direction: Direction): void {
    const group = groupOf(layout.value, tab.key)
    if (group) open(tab.instanceId, { group: group.id, split: direction })
  }

  /** A new shell in the place, and under the name, of the terminal that was closed last. */
  function reopen(): void {
    const last = closed.take()
    if (last) open(last.instanceId, last)
  }

  /** Moves it to a place among a group's tabs, which may be another's. */
  function move(tab: TerminalTab, groupId: string, at: number): void {
    if (layout.value) layout.value = moveKey(layout.value, tab.key, groupId, at)
    activate(tab)
  }

  /** The group after a terminal's own, round and round; `null` when there is only one. */
  function groupAfter(tab: TerminalTab): Group | null {
    const groups = groupsOf(layout.value)
    const index = groups.findIndex(({ keys }) => keys.includes(tab.key))
    return groups.length < 2 ? null : (groups[(index + 1) % groups.length] ?? null)
  }

  function enterNextGroup(tab: TerminalTab): void {
    const next = tabOf(groupAfter(tab)?.shown ?? '')
    if (next) enter(next)
  }

  /** Closes it at once when nothing is lost by it. */
  function askToClose(tab: TerminalTab): void {
    if (isLive(tab.line.state.value)) closing.value = tab
    else void close(tab)
  }

  async function close(tab: TerminalTab): Promise<void> {
    const group = groupOf(layout.value, tab.key)
    if (!group || !layout.value) return
    if (closing.value === tab) closing.value = null
    const { instanceId, key } = tab
    closed.add({
      instanceId,
      name: tab.name.value,
      wish: tab.wish.value,
      group: group.id,
      place: group.keys.indexOf(key),
    })
    layout.value = removeKey(layout.value, key)
    tabs.value = tabs.value.filter((other) => other !== tab)
    kept.keeper.forget(key)
    const groups = groupsOf(layout.value)
    const next = tabOf((groups.find(({ id }) => id === group.id) ?? groups[0])?.shown ?? '')
    if (activeKey.value === key && next) enter(next)
    await tab.dispose()
  }

  return {
    tabs,
    layout,
    active,
    activeKey,
    closing,
    renaming,
    choosing,
    dragged,
    screenReader,
    broadcast,
    canReopen: closed.any,
    activate,
    enter,
    open,
    duplicate,
    split,
    reopen,
    move,
    resizeSplit,
    resting,
    connectAll,
    keptProblem: kept.problem,
    groupAfter,
    tabOf,
    askToClose,
    close,
  }
})
