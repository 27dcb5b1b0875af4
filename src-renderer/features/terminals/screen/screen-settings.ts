import { ref, watch, type ShallowRef } from 'vue'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import type { TerminalScreen } from './screen.ts'

/** Gives all screens what the user has set for terminals, now and whenever it changes. */
export function useScreenSettings(
  terminals: Readonly<ShallowRef<readonly { readonly screen: TerminalScreen }[]>>,
) {
  const preferences = usePreferencesStore()
  /** For this run only: who needs it has it on by the system. */
  const screenReader = ref(false)

  function apply(screen: TerminalScreen): void {
    screen.setScreenReader(screenReader.value)
    if (preferences.preferences) screen.setSettings(preferences.preferences.terminals)
  }

  watch([screenReader, () => preferences.preferences?.terminals], () => {
    for (const { screen } of terminals.value) apply(screen)
  })

  return { screenReader, apply }
}
