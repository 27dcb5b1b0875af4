import { shallowRef } from 'vue'
import { useRouter } from 'vue-router'
import { modelOf } from '#domain/instances/instance-label.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { targetsOf, type MarkTarget } from '#domain/offers/offer-mark.ts'
import type { OfferQuery } from '#domain/offers/offer.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'
import { similarSearch } from '#shared/offers/similar-search.ts'
import { useAction } from '#ui/use-action.ts'

interface Next {
  readonly query: OfferQuery
  readonly machine: MarkTarget | null
  readonly title: string
}

/** The machine of an instance, to be blocked; `null` where the service doesn't say which. */
export function machineOf({ id, record }: ListedInstance): MarkTarget | null {
  const { machine } = targetsOf({ ...record, id })
  return machine.kind === 'machine' ? machine : null
}

/** What follows an instance that isn't what was offered: once it's destroyed, another one is searched for. */
export function useNextMachine() {
  const router = useRouter()
  const next = shallowRef<Next | null>(null)
  // While it's listed: of one that is gone nothing may be known.
  const preparing = useAction(
    async (instance: ListedInstance) => {
      const query = (await rentedBy(instance.id)) ?? similarSearch(instance.record)
      next.value = { query, machine: machineOf(instance), title: modelOf(instance.record) ?? '' }
    },
    { attempt: 'load' },
  )
  const blocking = useAction((mark: MarkTarget & { readonly title: string }) => client.offers.block(mark), {
    attempt: 'save',
  })

  return {
    /** Before it's destroyed. True when it can be. */
    prepare: preparing.run,
    /** The next one that is destroyed leads nowhere. */
    forget: () => void (next.value = null),
    /** After it was destroyed; the machine that it was on isn't found again. */
    find: async () => {
      if (next.value === null) return
      const { query, machine, title } = next.value
      if (machine !== null) await blocking.run({ ...machine, title: title.slice(0, 200) })
      await router.push({ path: '/offers', query: { search: JSON.stringify(query) } })
    },
  }
}

/** The search that an instance was rented by; `null` where nobody knows, or it can't be read now. */
async function rentedBy(instanceId: number): Promise<OfferQuery | null> {
  try {
    return (await client.renting.retries.requestOf({ instanceId }))?.query ?? null
  } catch (error) {
    if (toProblem(error).kind === 'keychain-locked') return null
    throw error
  }
}
