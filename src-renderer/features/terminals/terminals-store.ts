import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { assertNever } from '#domain/base/assert-never.ts'
import type { LineLogState } from '#domain/base/line-log.ts'
import type { FollowedTerminal } from '#domain/terminals/followed-terminal.ts'
import type { ShellWish } from '#domain/terminals/shell-wish.ts'
import {
  defaultStart,
  type StartChoice,
  type TerminalArrangement,
} from '#domain/terminals/saved-terminals.ts'
import type { Direction } from '#domain/terminals/terminal-layout.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useSnippetsStore } from '#shared/runs/snippets-store.ts'
import type { OpenRequest } from '#shared/terminals/open-request.ts'
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
import { commandText } from './shell-text.ts'
import { startCommandOf } from './start-command.ts'
import { isLive } from './state-words.ts'
import { createTabPlaces, type TabPlace } from './tabs/tab-places.ts'
import { createTab, type TabCommand, type TabOptions, type TerminalTab } from './terminal-tab.ts'
import type { ClipboardAnswers } from './questions/terminal-questions.ts'
import { createWriteScheduler } from './screen/write-scheduler.ts'

interface OpenOptions extends TabPlace {
  readonly name?: string | null
  readonly wish?: ShellWish
  readonly folder?: string | null
  readonly start?: StartChoice
}

/** The open terminals. They live here, so that leaving the page keeps shells and screens. */
export const useTerminalsStore = defineStore('terminals', () => {
  const preferences = usePreferencesStore()
  const frame = useOpenTerminalsStore()
  const page = useWorkbenchStore()
  const snippets = useSnippetsStore()
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
  /** The one whose folder is to be opened in an editor of this computer. */
  const editing = shallowRef<TerminalTab | null>(null)
  /** The one that a saved command is chosen for. */
  const inserting = shallowRef<TerminalTab | null>(null)
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
  const { latest: followed } = useWatch(client.terminals.watchFollowed)
  const followedOf = ({ line }: TerminalTab): FollowedTerminal | undefined =>
    followed.value?.find(({ terminalId }) => terminalId === line.terminalId.value)
  const notifies = (tab: TerminalTab): boolean => followedOf(tab)?.notifies ?? false
  /** The file that its output is written to. */
  const logOf = (tab: TerminalTab): LineLogState | null => followedOf(tab)?.log ?? null
  /** Those that get what is put into one of them. */
  function receivers(tab: TerminalTab): readonly TerminalTab[] {
    const isShared = broadcast.count.value > 0 && broadcast.isChosen(tab.key)
    return isShared ? tabs.value.filter(({ key }) => broadcast.isChosen(key)) : [tab]
  }
  /** Whether pasted lines run in none of them before Enter is pressed. */
  function takePastesAsText(tab: TerminalTab): boolean {
    return receivers(tab).every(({ screen }) => screen.commandLine().takesPastesAsText)
  }
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
    const tab = addNew(instanceId, options)
    place(tab.key, options)
    places.enter(tab)
  }

  /** Opens a shell on each of these instances, and connects all of them at once, seen or not. */
  function openAll({ instanceIds, areTiles, isBroadcast, folder }: OpenRequest): void {
    const opened = instanceIds.map((id) => addNew(id, { folder }))
    const [first] = opened
    if (!first) return
    if (areTiles) places.tile(opened.map(({ key }) => key))
    else for (const { key } of opened) place(key, {})
    if (isBroadcast) {
      broadcast.stop()
      for (const { key } of opened) broadcast.toggle(key)
    }
    places.enter(first)
    // What is seen connects with its own size.
    if (!areTiles) for (const tab of opened.slice(1)) tab.connect()
  }

  function addNew(instanceId: number, options: OpenOptions): TerminalTab {
    const { name = null, wish = newWish(instanceId), folder = null, start = defaultStart } = options
    return addTab({ key: `terminal-${crypto.randomUUID()}`, instanceId, name, wish, folder, start })
  }

  function addTab(
    own: Pick<TabOptions, 'key' | 'instanceId' | 'name' | 'wish' | 'folder' | 'start' | 'former'>,
  ): TerminalTab {
    const tab = createTab({
      ...own,
      ordinal: freeOrdinal(own.instanceId),
      scheduler,
      clipboardAnswers,
      commandOf: (choice) =>
        commandText(startCommandOf(choice, snippets.snippets ?? [])?.command ?? '') || null,
      shared: ({ key }, input) => broadcast.send(key, input),
      commandEnded: (one, code) => {
        if (notifies(one)) one.line.commandEnded(code)
      },
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
      case 'insert-snippet':
        return void (inserting.value = tab)
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

  /** What a further terminal takes over from this one. */
  function likeIn({ folder, start }: TerminalTab): Pick<OpenOptions, 'folder' | 'start'> {
    return { folder: folder.value, start: start.value }
  }

  /** Another shell on the same machine, in the same folder and with the same start command, among the same tabs. */
  function duplicate(tab: TerminalTab): void {
    const { key, instanceId } = tab
    const group = groupOf(places.layout.value, key)
    if (!group) return
    open(instanceId, { group: group.id, place: group.keys.indexOf(key) + 1, ...likeIn(tab) })
  }

  /** The same beside or below. */
  function split(tab: TerminalTab, direction: Direction): void {
    const group = groupOf(places.layout.value, tab.key)
    if (group) open(tab.instanceId, { group: group.id, split: direction, ...likeIn(tab) })
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
    const { instanceId, key, name, wish, folder, start } = tab
    const group = groupOf(places.layout.value, key)
    if (!group) return
    if (closing.value === tab) closing.value = null
    if (inserting.value === tab) inserting.value = null
    closed.add({
      instanceId,
      name: name.value,
      wish: wish.value,
      folder: folder.value,
      start: start.value,
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
    editing,
    inserting,
    receivers,
    takePastesAsText,
    dragged,
    growth,
    screenReader,
    broadcast,
    notifies,
    logOf,
    canReopen: closed.any,
    open,
    openAll,
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
