import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { RetryPlan } from '#domain/renting/retry.ts'
import type { Offer } from '#domain/offers/offer.ts'
import { perHourCost } from '#domain/money/total-cost.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'
import { createRetryPlanDraft } from '#shared/renting/retry-plan-draft.ts'
import { useRentStore } from './rent-store.ts'

/** A little above what was chosen, so that there is something to take next. */
const headroom = 1.25

/** What to do when the instance doesn't start; lasts until Slipway quits, as the rent sheet does. */
export const useRetryStore = defineStore('retry', () => {
  const rent = useRentStore()
  const isOn = ref(false)
  /** Without a highest price, it's a quarter above the price of the chosen offer. */
  const draft = createRetryPlanDraft()

  /** The highest price that is meant, in $/h with the disk that is asked for; `null` unless it's above 0. */
  function capOf(offer: Offer): number | null {
    const perHourUsd = perHourCost(offer, rent.diskGb)?.usd ?? 0
    const { cap } = draft
    const usd =
      cap.value.trim() === '' ? Math.ceil(perHourUsd * headroom * 1000) / 1000 : typedNumber(cap.value)
    return usd !== null && usd > 0 ? usd : null
  }

  /** The plan for an offer; `null` when something typed cannot be used, or no highest price is known. */
  const planFor = (offer: Offer): RetryPlan | null => draft.planWithin(capOf(offer))

  /** Whether the offer can be rented as it is asked for. */
  function isComplete(offer: Offer): boolean {
    return !isOn.value || planFor(offer) !== null
  }

  return { ...draft, isOn, capOf, planFor, isComplete }
})
