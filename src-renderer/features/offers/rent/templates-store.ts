import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import type { Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'
import { useAction } from '#ui/use-action.ts'

/** Templates to choose from: the account's own, the recommended ones, and any that was looked up. */
export const useTemplatesStore = defineStore('rent-templates', () => {
  const account = useAccountStore()
  /** `null` before the first answer. */
  const own = shallowRef<readonly Template[] | null>(null)
  const recommended = shallowRef<readonly Template[]>([])
  const lookedUp = shallowRef<readonly Template[]>([])

  const loading = useAction(
    async () => {
      const userId = account.connected?.userId
      const [mine, others] = await Promise.all([
        userId === undefined ? [] : client.templates.search({ filters: { creator_id: { eq: userId } } }),
        client.templates.search({ filters: { recommended: { eq: true } } }),
      ])
      own.value = mine
      const isMine = new Set(mine.map(({ hash_id }) => hash_id))
      recommended.value = others.filter(({ hash_id }) => !isMine.has(hash_id))
    },
    { attempt: 'load', failure: 'in-place' },
  )

  /** There is no search by words (service API 4.5): a name or a hash id has to be exact. */
  const lookingUp = useAction(
    async (text: string) => {
      const [byName, byHash] = await Promise.all([
        client.templates.search({ filters: { name: { eq: text } } }),
        client.templates.search({ filters: { hash_id: { eq: text } } }),
      ])
      lookedUp.value = [...new Map([...byName, ...byHash].map((one) => [one.hash_id, one])).values()]
    },
    { attempt: 'load', failure: 'in-place' },
  )

  // What was listed before an edit names a hash id that is no more.
  const shared = useSharedTemplatesStore()
  watch(
    () => shared.news,
    async (latest) => {
      lookedUp.value = lookedUp.value.filter(({ id }) => id !== latest?.id)
      if (own.value !== null) await loading.run()
    },
  )

  return {
    own,
    recommended,
    lookedUp,
    isLoading: loading.pending,
    problem: loading.problem,
    load: loading.run,
    isLookingUp: lookingUp.pending,
    lookUpProblem: lookingUp.problem,
    lookUp: lookingUp.run,
  }
})
