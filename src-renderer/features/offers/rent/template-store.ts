import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { readEnvFlags } from '#domain/renting/env-flags.ts'
import type { Template } from '#domain/templates/template.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'

/** The template that the next rental is made from. */
export const useTemplateStore = defineStore('rent-template', () => {
  /** `null`: none. */
  const template = shallowRef<Template | null>(null)
  /** Its variables and ports. */
  const envItems = computed(() => readEnvFlags(template.value?.env ?? ''))

  // An edit gives it another hash id.
  const shared = useSharedTemplatesStore()
  watch(
    () => shared.news,
    (latest) => {
      if (latest !== null && latest.id === template.value?.id) template.value = latest.now
    },
  )

  return { template, envItems }
})
