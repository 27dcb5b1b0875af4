import { defineStore } from 'pinia'
import { createEnvironmentEditor } from '#shared/renting/environment/environment-editor.ts'
import { useTemplateStore } from './template-store.ts'

/** Variables and ports of the next rental, beside those of its template. */
export const useEnvironmentStore = defineStore('rent-environment', () => {
  const chosen = useTemplateStore()
  return createEnvironmentEditor(() => chosen.envItems)
})
