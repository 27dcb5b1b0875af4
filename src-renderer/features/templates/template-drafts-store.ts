import { until } from '@vueuse/core'
import { defineStore } from 'pinia'
import type { DraftSummary } from '#domain/templates/template-draft.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Templates that are being written on this computer. `drafts` is `null` until main has answered once. */
export const useTemplateDraftsStore = defineStore('template-drafts', () => {
  const { latest: drafts } = useWatch(client.templates.watchDrafts)

  /** The drafts, as soon as they are known. */
  async function whenKnown(): Promise<readonly DraftSummary[]> {
    // Of a list, `until` waits for what is in it.
    await until(() => drafts.value !== null).toBe(true)
    return drafts.value ?? []
  }

  return { drafts, whenKnown }
})
