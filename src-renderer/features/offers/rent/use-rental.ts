import { computed, shallowReadonly, shallowRef, type Ref } from 'vue'
import type { RentalNotice } from '#domain/instances/instance.ts'
import { defaultOfferQuery, type Offer, type OfferQuery } from '#domain/offers/offer.ts'
import type { FreshInstanceKey, RentOptions } from '#domain/renting/rent-request.ts'
import { client } from '#ipc/client.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { useAction } from '#ui/use-action.ts'
import { useOffersStore } from '../offers-store.ts'
import { offerNow } from './offer-now.ts'
import { useRentStore } from './rent-store.ts'
import { useRetryStore } from './retry-store.ts'

/** Why nothing was sent: the offer is not any more what was shown of it. */
export type Objection = { readonly kind: 'dearer'; readonly before: Offer } | { readonly kind: 'unseen' }

/**
 * Renting the offer that is shown: once, at the price that is shown, and what came of it.
 *
 * @param offer becomes what the service says of it now
 */
export function useRental(offer: Ref<Offer>) {
  const rent = useRentStore()
  const retry = useRetryStore()
  const offers = useOffersStore()
  const instances = useInstancesStore()

  const objection = shallowRef<Objection | null>(null)
  /** The notice of a rental without a reply, as it was when the call came back. */
  const lost = shallowRef<RentalNotice | null>(null)
  /** The rented instance whose key is still to be seen. */
  const fresh = shallowRef<{ readonly instanceId: number; readonly key: FreshInstanceKey } | null>(null)
  let isDone = false
  /** What is known of it now: the list of instances may have told more since. */
  const notice = computed(() => instances.notices.find(({ id }) => id === lost.value?.id) ?? lost.value)
  /** A second request could rent a second machine. */
  const mustNotRepeat = computed(
    () => fresh.value !== null || (notice.value !== null && notice.value.outcome.kind !== 'nothing-created'),
  )

  const renting = useAction(
    async () => {
      lost.value = null
      const { options, keepInstanceKey } = rent
      if (options === null) return
      objection.value = await objectionTo(options)
      if (objection.value !== null) return
      if (retry.isOn) {
        await begin(options)
        return
      }
      const next = { query: queryNow(), capPerHourUsd: retry.capOf(offer.value) }
      const result = await client.renting.rent({ offerId: offer.value.id, options, keepInstanceKey, next })
      if (result.kind === 'reply-lost') lost.value = result.notice
      else if (result.instanceKey === null) isDone = true
      else fresh.value = { instanceId: result.instanceId, key: result.instanceKey }
    },
    { attempt: 'rent', failure: 'in-place' },
  )

  /** Asks for the price once more. Where that is impossible, the one that was shown has to do. */
  async function objectionTo({ diskGb }: RentOptions): Promise<Objection | null> {
    const wasUnseen = objection.value?.kind === 'unseen'
    const before = offer.value
    await offers.refresh({ byClock: true })
    if (offers.problem !== null) return null
    if (offers.found === null) return { kind: 'unseen' }
    const now = offerNow(before, offers.found, diskGb)
    switch (now.kind) {
      case 'as-shown':
        return null
      case 'dearer':
        offer.value = now.offer
        return { kind: 'dearer', before }
      case 'unseen':
        // The user knows, and asks again.
        return wasUnseen ? null : { kind: 'unseen' }
    }
  }

  /** What the offer was found by. */
  const queryNow = (): OfferQuery => offers.found?.query ?? defaultOfferQuery

  /** Main sees it through from here; its history is with the instances. */
  async function begin(options: RentOptions): Promise<void> {
    const plan = retry.planFor(offer.value)
    if (plan === null) return
    await client.renting.retries.begin({ offer: offer.value, options, query: queryNow(), plan })
    isDone = true
  }

  /** True when there is nothing left to see here: the rest is with the instances. */
  async function run(): Promise<boolean> {
    isDone = false
    await renting.run()
    return isDone
  }

  function clear(): void {
    renting.clear()
    objection.value = null
    lost.value = null
    fresh.value = null
  }

  return {
    pending: renting.pending,
    problem: renting.problem,
    objection: shallowReadonly(objection),
    notice,
    fresh: shallowReadonly(fresh),
    mustNotRepeat,
    run,
    clear,
  }
}
