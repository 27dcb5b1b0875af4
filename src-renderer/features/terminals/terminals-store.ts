import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { useOpenTerminalsStore } from '#ui/stores/open-terminals.ts'
import { usePreferencesStore } from '#ui/stores/preferences.ts'
import { createClosedTerminals } from './closed-terminals.ts'
import { createPageTurns } from './page-turns.ts'
import { isLive } from './state-words.ts'
import { moveItem } from './tab-order.ts'
import { createTab, type TerminalTab } from './terminal-tab.ts'
import type { ClipboardAnswers } from './terminal-questions.ts'
import { createWriteScheduler } from './write-scheduler.ts'

interface OpenOptions {
  /** Of its tab among the others. */
  readonly place?: number
  readonly name?: string | null
}

/** The open terminals. They live here, so that leaving the page keeps shells and screens. */
export const useTerminalsStore = defineStore('terminals', () => {
  const preferences = usePreferencesStore()
  const rail = useOpenTerminalsStore()
  const scheduler = createWriteScheduler(createPageTurns())
  const tabs = shallowRef<readonly TerminalTab[]>([])
  const activeKey = ref<string | null>(null)
  const active = computed(() => tabs.value.find(({ key }) => key === activeKey.value) ?? null)
  /** The one that is closed when the user agrees to lose its shell. */
  const closing = shallowRef<TerminalTab | null>(null)
  /** The one whose name is being typed. */
  const renaming = shallowRef<TerminalTab | null>(null)
  /** The one whose tab is being dragged. */
  const dragged = shallowRef<TerminalTab | null>(null)
  const screenReader = ref(false)
  const closed = createClosedTerminals()
  const clipboardAnswers: ClipboardAnswers = new Map()
  let opened = 0

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

  function activate(tab: TerminalTab): void {
    if (active.value) active.value.rang.value = false
    activeKey.value = tab.key
    tab.rang.value = false
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

  /** Opens a shell on an instance: by default as the last of the tabs, with the name that the shell gives itself. */
  function open(instanceId: number, { place = tabs.value.length, name = null }: OpenOptions = {}): void {
    opened += 1
    const tab = createTab({
      key: `terminal-${opened}`,
      instanceId,
      ordinal: freeOrdinal(instanceId),
      name,
      scheduler,
      clipboardAnswers,
      commanded(command) {
        if (command === 'duplicate') duplicate(tab)
        else if (command === 'reopen') reopen()
        else askToClose(tab)
      },
    })
    tab.screen.setScreenReader(screenReader.value)
    if (preferences.preferences) tab.screen.setSettings(preferences.preferences.terminals)
    tabs.value = moveItem([...tabs.value, tab], tab, place)
    enter(tab)
  }

  /** Another shell on the same machine, beside it. */
  function duplicate({ instanceId, key }: TerminalTab): void {
    open(instanceId, { place: tabs.value.findIndex((tab) => tab.key === key) + 1 })
  }

  /** A new shell in the place, and under the name, of the terminal that was closed last. */
  function reopen(): void {
    const last = closed.take()
    if (last) open(last.instanceId, last)
  }

  function move(tab: TerminalTab, place: number): void {
    tabs.value = moveItem(tabs.value, tab, place)
  }

  /** Closes it at once when nothing is lost by it. */
  function askToClose(tab: TerminalTab): void {
    if (isLive(tab.line.state.value)) closing.value = tab
    else void close(tab)
  }

  async function close(tab: TerminalTab): Promise<void> {
    const index = tabs.value.indexOf(tab)
    if (index < 0) return
    if (closing.value === tab) closing.value = null
    closed.add({ instanceId: tab.instanceId, name: tab.name.value, place: index })
    const rest = tabs.value.filter((other) => other !== tab)
    tabs.value = rest
    const next = rest[index] ?? rest[index - 1]
    if (activeKey.value === tab.key && next) enter(next)
    await tab.dispose()
  }

  return {
    tabs,
    active,
    activeKey,
    closing,
    renaming,
    dragged,
    screenReader,
    canReopen: closed.any,
    activate,
    enter,
    open,
    duplicate,
    reopen,
    move,
    askToClose,
    close,
  }
})
