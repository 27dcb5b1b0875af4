import { until } from '@vueuse/core'
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { DraftSummary } from '#domain/templates/template-draft.ts'
import { imageOfTemplate, type Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useTemplateList, type TemplateNews } from './template-list.ts'
import { templateTitle } from './template-title.ts'

/** What is kept of a template to find it by: readmes and scripts of thousands would be megabytes. */
export interface BriefTemplate {
  readonly id: number
  readonly title: string
  readonly image: string
  readonly words: string
}

/** All templates that the window has, and those that are being written. */
export const useSharedTemplatesStore = defineStore('shared-templates', () => {
  const news = shallowRef<TemplateNews | null>(null)
  const listOf = <T>(attempt: 'load' | 'search', keep: (template: Template) => T) =>
    useTemplateList({ attempt, keep, news: () => news.value })
  const whole = (template: Template): Template => template
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

  return {
    news,
    tell,
    drafts,
    draftsWhenKnown,
    /** What the user searches for on the page of templates. */
    searched: listOf('search', whole),
    /** To choose from for a rental. */
    own: listOf('load', whole),
    recommended: listOf('load', whole),
    /** By an exact name, and by a hash id: there is no search by words (service API 4.5). */
    byName: listOf('load', whole),
    byHash: listOf('load', whole),
    /** All that the account can see, in brief. */
    brief: listOf('load', briefTemplate),
  }
})

function briefTemplate(template: Template): BriefTemplate {
  const { id, hash_id, desc } = template
  return {
    id,
    title: templateTitle(template),
    image: imageOfTemplate(template),
    words: `${id} ${hash_id} ${desc?.slice(0, 200) ?? ''}`,
  }
}
