import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { Template } from '#domain/templates/template.ts'

/** A template that was created, edited or deleted in this window: whoever shows it, or rents with it, follows. */
export interface TemplateNews {
  readonly id: number
  /** `null`: it is there no more. */
  readonly now: Template | null
}

export const useTemplateNewsStore = defineStore('template-news', () => {
  const latest = shallowRef<TemplateNews | null>(null)

  function tell(news: TemplateNews): void {
    latest.value = news
  }

  return { latest, tell }
})
