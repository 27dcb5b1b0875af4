import { watchDebounced } from '@vueuse/core'
import { computed, shallowReadonly, shallowRef, watch, type ShallowRef } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import {
  mostSavedTerminals,
  type SavedScreen,
  type SavedTerminal,
  type TerminalArrangement,
} from '#domain/terminals/saved-terminals.ts'
import type { Layout } from '#domain/terminals/terminal-layout.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'
import { usePendingSaves } from '#ui/pending-saves.ts'
import { newestCall } from '#ui/newest-call.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { layoutOf } from './tabs/layout.ts'
import { createScreenKeeper } from './screen/screen-keeper.ts'
import type { TerminalTab } from './terminal-tab.ts'

/** A terminal of the last time, with what it showed if that was kept. */
export interface FormerTerminal extends SavedTerminal {
  readonly screen: SavedScreen | null
}

interface SavedTerminalsOptions {
  readonly tabs: Readonly<ShallowRef<readonly TerminalTab[]>>
  readonly layout: Readonly<ShallowRef<Layout | null>>
  readonly active: () => string | null
  /** Opens the terminals as they stood. */
  readonly restore: (arrangement: TerminalArrangement, terminals: readonly FormerTerminal[]) => void
}

/** Keeps, for the next start, how the account's terminals stand and what they show. */
export function useSavedTerminals({ tabs, layout, active, restore }: SavedTerminalsOptions) {
  const account = useAccountStore()
  const preferences = usePreferencesStore()
  const hasAccount = computed(() => account.connected !== null)
  /** Before the saved terminals were read nothing may take its place. */
  const isOpen = shallowRef(false)
  const problem = shallowRef<Problem | null>(null)

  const ours = computed(() => (isOpen.value ? tabs.value.slice(0, mostSavedTerminals) : []))
  /** What its user makes of it. */
  const arranged = computed(() => {
    const keys = ours.value.map(({ key }) => key)
    const inFront = active()
    return {
      terminals: ours.value.map(ofUser),
      layout: layoutOf(layout.value, keys),
      active: inFront !== null && keys.includes(inFront) ? inFront : null,
    }
  })
  const told = computed(() => ours.value.map(ofShell))
  const arrangement = computed<TerminalArrangement>(() => ({
    ...arranged.value,
    terminals: ours.value.map((tab) => ({ ...ofUser(tab), ...ofShell(tab) })),
  }))

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      problem.value = null
    } catch (error) {
      problem.value = toProblem(error)
    }
  }

  const open = (): Promise<void> =>
    attempt(async () => {
      const last = await client.terminals.arrangement()
      const terminals = await Promise.all(
        last.terminals.map(async (kept) => ({
          ...kept,
          screen: await client.terminals.screen({ key: kept.key }),
        })),
      )
      const there = new Set(tabs.value.map(({ key }) => key))
      restore(
        last,
        terminals.filter(({ key }) => !there.has(key)),
      )
      isOpen.value = true
    })

  watch(
    hasAccount,
    (has) => {
      isOpen.value = false
      if (has) void open()
    },
    { immediate: true },
  )

  const save = (): Promise<void> =>
    attempt(async () => {
      if (isOpen.value) await client.terminals.keepArrangement({ arrangement: arrangement.value })
    })
  // At once, as the next thing may be to quit.
  watch(arranged, newestCall(save))
  watchDebounced(told, save, { debounce: 300, maxWait: 3_000 })

  const keeper = createScreenKeeper({
    async keep(key) {
      const tab = tabs.value.find((one) => one.key === key)
      if (!tab || !preferences.preferences?.terminals.keepScreens) return
      const screen = tab.screen.memory()
      await attempt(() => client.terminals.keepScreen({ key, screen }))
    },
    now: () => performance.now(),
    later: (ms, run) => void setTimeout(run, ms),
  })
  usePendingSaves(async () => {
    await Promise.all([save(), keeper.flush()])
  })

  return { problem: shallowReadonly(problem), keeper }
}

function ofUser({ key, instanceId, name, wish, start }: TerminalTab) {
  return { key, instanceId, name: name.value, wish: wish.value, start: start.value }
}

/** What its shell tells of itself, some at every prompt. */
function ofShell({ shellTitle, folder, wish, runs }: TerminalTab) {
  const isSessionMissing = runs.value !== wish.value
  return { title: shellTitle.value, folder: folder.value, isSessionMissing }
}
