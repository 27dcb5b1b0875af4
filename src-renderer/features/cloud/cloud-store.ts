import { useToast } from '@nuxt/ui/composables/useToast'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CloudAddition, CloudList } from '#domain/cloud/cloud-connection.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'
import { foundText } from './addition-text.ts'

/** The account's cloud connections, as they were last listed. */
export const useCloudStore = defineStore('cloud', () => {
  const toast = useToast()
  /** `null` before the first answer. */
  const list = shallowRef<CloudList | null>(null)
  const connections = computed(() => list.value?.connections ?? null)
  const fetchedAt = ref<number | null>(null)

  const loading = useAction(
    async () => {
      list.value = await client.cloud.list()
      fetchedAt.value = Date.now()
    },
    { attempt: 'load', failure: 'in-place' },
  )

  /** Tells that a connection is there, and shows it. */
  function tellAdded(addition: Extract<CloudAddition, { kind: 'added' | 'lost' }>): void {
    toast.add(
      addition.kind === 'added'
        ? {
            title: 'Connection added',
            description: addition.message === '' ? '' : `The service said: “${addition.message}”`,
            icon: 'i-lucide-circle-check',
            color: 'success',
          }
        : {
            title: 'Connection added, as the list shows',
            description: foundText(addition.found ?? []),
            icon: 'i-lucide-circle-check',
            color: 'warning',
            duration: 0,
          },
    )
    void loading.run()
  }

  return {
    connections,
    /** How many more the service listed that nobody can read. */
    unreadable: computed(() => list.value?.unreadable ?? 0),
    fetchedAt,
    isLoading: loading.pending,
    problem: loading.problem,
    load: loading.run,
    tellAdded,
  }
})
