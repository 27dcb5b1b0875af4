import { until } from '@vueuse/core'
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { DraftSummary } from '#domain/templates/template-draft.ts'
import type { Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** A template that was created, edited or deleted in this window: whoever shows it, or rents with it, follows. */
export interface TemplateNews {
  readonly id: number
  /** `null`: it is there no more. */
  readonly now: Template | null
}

/** What pages tell each other of templates. */
export const useSharedTemplatesStore = defineStore('shared-templates', () => {
  const news = shallowRef<TemplateNews | null>(null)
  /** Those that are being written on this computer; `null` until main has answered once. */
  const { latest: drafts } = useWatch(client.templates.watchDrafts)

  function tell(latest: TemplateNews): void {
    news.value = latest
  }

  /** The drafts, as soon as they are known. */
  async function draftsWhenKnown(): Promise<readonly DraftSummary[]> {
    // Of a list, `until` waits for what is in it.
    await until(() => drafts.value !== null).toBe(true)
    return drafts.value ?? []
  }

  return { news, tell, drafts, draftsWhenKnown }
})
