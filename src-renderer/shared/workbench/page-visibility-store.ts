import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Whether this page is seen. Main tells: to Chromium it is visible even behind another one and in a minimized window. */
export const usePageVisibilityStore = defineStore('page-visibility', () => {
  const { latest } = useWatch(client.workbench.visibility)
  /** `true` also until main has told. */
  const isVisible = computed(() => latest.value ?? true)
  return { isVisible }
})
