import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { useOpenTerminalsStore } from '#ui/stores/open-terminals.ts'
import { usePreferencesStore } from '#ui/stores/preferences.ts'
import { createPageTurns } from './page-turns.ts'
import { isLive } from './state-words.ts'
import { createTab, type TerminalTab } from './terminal-tab.ts'
import type { ClipboardAnswers } from './terminal-questions.ts'
import { createWriteScheduler } from './write-scheduler.ts'

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
  const screenReader = ref(false)
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
    activeKey.value = tab.key
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

  function open(instanceId: number): void {
    opened += 1
    const tab = createTab({
      key: `terminal-${opened}`,
      instanceId,
      ordinal: freeOrdinal(instanceId),
      scheduler,
      clipboardAnswers,
      closeAsked: () => askToClose(tab),
    })
    tab.screen.setScreenReader(screenReader.value)
    if (preferences.preferences) tab.screen.setSettings(preferences.preferences.terminals)
    tabs.value = [...tabs.value, tab]
    enter(tab)
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
    const rest = tabs.value.filter((other) => other !== tab)
    tabs.value = rest
    const next = rest[index] ?? rest[index - 1]
    if (activeKey.value === tab.key && next) enter(next)
    await tab.dispose()
  }

  return { tabs, active, activeKey, closing, screenReader, activate, enter, open, askToClose, close }
})
