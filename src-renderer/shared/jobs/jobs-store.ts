import { defineStore } from 'pinia'
import { computed } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** The account's jobs, the newest first, followed once for the rail and the page. */
export const useJobsStore = defineStore('jobs', () => {
  const { latest, problem } = useWatch(client.jobs.watch)
  /** `null` before main's first answer. */
  const jobs = computed(() => latest.value)
  const ongoing = computed(() => (latest.value ?? []).filter(({ outcome }) => outcome === null))
  /** How many wait for the user. */
  const waiting = computed(() => ongoing.value.filter(({ trouble }) => trouble?.isRetrying === false).length)
  return { jobs, problem, ongoing, waiting }
})
