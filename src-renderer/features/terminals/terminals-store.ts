import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { assertNever } from '#domain/base/assert-never.ts'
import type { ShellWish } from '#domain/terminals/shell-wish.ts'
import type { TerminalArrangement } from '#domain/terminals/saved-terminals.ts'
import type { Direction } from '#domain/terminals/terminal-layout.ts'
import { useOpenTerminalsStore } from '#shared/terminals/open-terminals-store.ts'
import { useWorkbenchStore } from '#shared/workbench/workbench-store.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { createBroadcast } from './broadcast.ts'
import { createClosedTerminals } from './closed-terminals.ts'
import { useSavedTerminals, type FormerTerminal } from './use-saved-terminals.ts'
import { groupOf, type SplitGrowth } from './tabs/layout.ts'
import { createPageTurns } from './page-turns.ts'
import type { TerminalScreen } from './screen/screen.ts'
import { freeSession, wishOf } from './session-names.ts'
import { isLive } from './state-words.ts'
import { createTabPlaces, type TabPlace } from './tabs/tab-places.ts'
import { createTab, type TabCommand, type TabOptions, type TerminalTab } from './terminal-tab.ts'
import type { ClipboardAnswers } from './terminal-questions.ts'
import { createWriteScheduler } from './screen/write-scheduler.ts'

interface OpenOptions extends TabPlace {
  readonly name?: string | null
  readonly wish?: ShellWish
  readonly folder?: string | null
}

/** The open terminals. They live here, so that leaving the page keeps shells and screens. */
export const useTerminalsStore = defineStore('terminals', () => {
  const preferences = usePreferencesStore()
  const frame = useOpenTerminalsStore()
  const page = useWorkbenchStore()
  const scheduler = createWriteScheduler(createPageTurns(() => page.isVisible))
  const tabs = shallowRef<readonly TerminalTab[]>([])
  const { place, remove, restore: restorePlaces, ...places } = createTabPlaces(tabs)
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
  /** Which terminal is to have more room, or less, in its splits: a new one each time. */
  const growth = shallowRef<SplitGrowth | null>(null)
  /** For this run only: who needs it has it on by the system. */
  const screenReader = ref(false)
  function applySettings(screen: TerminalScreen): void {
    screen.setScreenReader(screenReader.value)
    if (preferences.preferences) screen.setSettings(preferences.preferences.terminals)
  }
  watch([screenReader, () => preferences.preferences?.terminals], () => {
    for (const { screen } of tabs.value) applySettings(screen)
  })
  const closed = createClosedTerminals()
  const broadcast = createBroadcast(tabs)
  const clipboardAnswers: ClipboardAnswers = new Map()
  const kept = useSavedTerminals({
    tabs,
    layout: places.layout,
    active: () => places.activeKey.value,
    restore,
  })

  watch(tabs, ({ length }) => (frame.count = length))
  watch(closed.any, (now) => (frame.canReopen = now))

  function onInstance(instanceId: number): readonly TerminalTab[] {
    return tabs.value.filter((tab) => tab.instanceId === instanceId)
  }

  /** The smallest number that no other terminal of the instance has. */
  function freeOrdinal(instanceId: number): number {
    const taken = new Set(onInstance(instanceId).map(({ ordinal }) => ordinal))
    let ordinal = 1
    while (taken.has(ordinal)) ordinal += 1
    return ordinal
  }

  /** What the user wants to run in new terminals; each has a session of its own. */
  function newWish(instanceId: number): ShellWish {
    const kind = preferences.preferences?.terminals.newShell ?? 'plain'
    return wishOf(kind, freeSession(onInstance(instanceId)))
  }

  /** Opens a shell on an instance, with the name that the shell gives itself unless there is another. */
  function open(instanceId: number, options: OpenOptions = {}): void {
    const { name = null, wish = newWish(instanceId), folder = null } = options
    const tab = addTab({ key: `terminal-${crypto.randomUUID()}`, instanceId, name, wish, folder })
    place(tab.key, options)
    places.enter(tab)
  }

  function addTab(
    own: Pick<TabOptions, 'key' | 'instanceId' | 'name' | 'wish' | 'folder' | 'former'>,
  ): TerminalTab {
    const tab = createTab({
      ...own,
      ordinal: freeOrdinal(own.instanceId),
      scheduler,
      clipboardAnswers,
      shared: ({ key }, input) => broadcast.send(key, input),
      wrote: ({ key }) => kept.keeper.wrote(key),
      commanded: (command) => run(command, tab),
    })
    applySettings(tab.screen)
    tabs.value = [...tabs.value, tab]
    return tab
  }

  function run(command: TabCommand, tab: TerminalTab): void {
    switch (command) {
      case 'duplicate':
        return duplicate(tab)
      case 'split-row':
        return split(tab, 'row')
      case 'split-column':
        return split(tab, 'column')
      case 'next-group':
        return places.enterNextGroup(tab)
      case 'move-to-next-group':
        return void places.moveToNextGroup(tab)
      case 'reopen':
        return reopen()
      case 'broadcast':
        return broadcast.toggle(tab.key)
      case 'close':
        return askToClose(tab)
      default:
        assertNever(command)
    }
  }

  /** Opens the terminals of the last time, and among them what has been opened meanwhile. */
  function restore(arrangement: TerminalArrangement, terminals: readonly FormerTerminal[]): void {
    const isResting = !preferences.preferences?.terminals.connectAtStart
    for (const { title, screen, isSessionMissing, ...own } of terminals)
      addTab({ ...own, former: { title, screen, isSessionMissing, isResting } })
    restorePlaces(arrangement.layout, arrangement.active)
  }

  function connectAll(): void {
    for (const tab of resting.value) void tab.reconnect()
  }

  /** Another shell on the same machine, in the same folder, among the same tabs. */
  function duplicate({ key, instanceId, folder }: TerminalTab): void {
    const group = groupOf(places.layout.value, key)
    if (!group) return
    open(instanceId, { group: group.id, place: group.keys.indexOf(key) + 1, folder: folder.value })
  }

  /** Another shell on the same machine, in the same folder, beside or below. */
  function split({ key, instanceId, folder }: TerminalTab, direction: Direction): void {
    const group = groupOf(places.layout.value, key)
    if (group) open(instanceId, { group: group.id, split: direction, folder: folder.value })
  }

  /** A new shell in the place, and under the name, of the terminal that was closed last. */
  function reopen(): void {
    const last = closed.take()
    if (last) open(last.instanceId, last)
  }

  /** Closes it at once when nothing is lost by it. */
  function askToClose(tab: TerminalTab): void {
    if (isLive(tab.line.state.value)) closing.value = tab
    else void close(tab)
  }

  async function close(tab: TerminalTab): Promise<void> {
    const { instanceId, key, name, wish, folder } = tab
    const group = groupOf(places.layout.value, key)
    if (!group) return
    if (closing.value === tab) closing.value = null
    closed.add({
      instanceId,
      name: name.value,
      wish: wish.value,
      folder: folder.value,
      group: group.id,
      place: group.keys.indexOf(key),
    })
    const next = remove(key)
    tabs.value = tabs.value.filter((other) => other !== tab)
    kept.keeper.forget(key)
    if (next) places.enter(next)
    await tab.dispose()
  }

  return {
    ...places,
    tabs,
    closing,
    renaming,
    choosing,
    dragged,
    growth,
    screenReader,
    broadcast,
    canReopen: closed.any,
    open,
    duplicate,
    split,
    reopen,
    resting,
    connectAll,
    keptProblem: kept.problem,
    askToClose,
    close,
  }
})
