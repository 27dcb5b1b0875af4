import { usePreferredDark } from '@vueuse/core'
import { watchEffect } from 'vue'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'

/** Puts the chosen theme on the page; the tokens in style.css follow its class. */
export function useTheme(): void {
  const store = usePreferencesStore()
  const systemIsDark = usePreferredDark()
  watchEffect(() => {
    const chosen = store.preferences?.theme ?? 'system'
    const isDark = chosen === 'system' ? systemIsDark.value : chosen === 'dark'
    document.documentElement.classList.toggle('dark', isDark)
    document.documentElement.classList.toggle('light', !isDark)
    document.documentElement.classList.toggle('reduce-motion', store.preferences?.motion === 'reduced')
  })
}
