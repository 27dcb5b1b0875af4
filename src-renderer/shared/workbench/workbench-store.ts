import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** How the page and Slipway's own files stand. */
export const useWorkbenchStore = defineStore('workbench', () => {
  const { latest: visibility } = useWatch(client.workbench.visibility)
  /** Main tells: to Chromium a page is visible even behind another one and in a minimized window. `true` until then. */
  const isVisible = computed(() => visibility.value ?? true)

  const { latest } = useWatch(client.settings.watchStorageNotices)
  /** Files that could not be read in this run, and files of a newer Slipway. */
  const notices = computed(() => latest.value ?? [])

  return { isVisible, notices }
})
