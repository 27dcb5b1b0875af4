import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, ref, shallowRef } from 'vue'
import { plainShell } from '#domain/terminals/shell-wish.ts'
import {
  defaultStart,
  emptyArrangement,
  type TerminalArrangement,
} from '#domain/terminals/saved-terminals.ts'
import type { Layout } from '#domain/terminals/terminal-layout.ts'
import { useSavedTerminals } from '../../../../src-renderer/features/terminals/use-saved-terminals.ts'
import type { TerminalTab } from '../../../../src-renderer/features/terminals/terminal-tab.ts'
import { waitFor } from '../../../support/wait-for.ts'

const kept = vi.hoisted((): TerminalArrangement[] => [])
vi.mock('#ipc/client.ts', () => ({
  client: {
    terminals: {
      arrangement: () => Promise.resolve(emptyArrangement),
      keepArrangement: async ({ arrangement }: { arrangement: TerminalArrangement }) =>
        void kept.push(arrangement),
    },
  },
}))
vi.mock('#shared/accounts/account-store.ts', () => ({
  useAccountStore: () => ({ connected: {} }),
}))
vi.mock('#shared/settings/preferences-store.ts', () => ({
  usePreferencesStore: () => ({ preferences: null }),
}))

let scope = effectScope()
beforeEach(() => {
  // Nothing may wait for a clock: the next thing may be to quit.
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  kept.length = 0
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const groupOf = (...keys: readonly string[]): Layout => ({
  kind: 'group',
  id: 'group',
  keys,
  shown: keys[0] ?? '',
})

/** A page with the terminals `a` and `b`, which has been kept. */
async function openPage() {
  const names = { a: ref<string | null>(null), b: ref<string | null>(null) }
  const titles = { a: ref<string | null>(null), b: ref<string | null>(null) }
  const tabOf = (key: 'a' | 'b') =>
    ({
      key,
      instanceId: 7,
      name: names[key],
      shellTitle: titles[key],
      wish: shallowRef(plainShell),
      runs: shallowRef(plainShell),
      folder: ref(null),
      start: shallowRef(defaultStart),
    }) as unknown as TerminalTab
  const tabs = shallowRef<readonly TerminalTab[]>([tabOf('a'), tabOf('b')])
  const layout = shallowRef<Layout | null>(groupOf('a', 'b'))
  const active = ref('a')
  const restore = vi.fn()
  scope.run(() => useSavedTerminals({ tabs, layout, active: () => active.value, restore }))
  await waitFor(() => expect(kept).toHaveLength(1))
  return { names, titles, layout, active }
}

/** Whatever is told main without waiting for a clock has been told. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTick()
}

test('what the user does with the terminals is told main at once', async () => {
  const { names, layout, active } = await openPage()
  layout.value = groupOf('b', 'a')
  await settle()
  expect(kept.at(-1)?.layout).toEqual(groupOf('b', 'a'))
  active.value = 'b'
  await settle()
  expect(kept.at(-1)?.active).toBe('b')
  names.a.value = 'training'
  await settle()
  expect(kept.at(-1)?.terminals.map(({ name }) => name)).toEqual(['training', null])
})

test('what shells tell, some at every prompt, is told main together', async () => {
  const { titles } = await openPage()
  for (let prompt = 0; prompt < 50; prompt += 1) {
    titles.a.value = `prompt ${prompt}`
    await settle()
  }
  expect(kept).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(kept).toHaveLength(2)
  expect(kept.at(-1)?.terminals.map(({ title }) => title)).toEqual(['prompt 49', null])
})
