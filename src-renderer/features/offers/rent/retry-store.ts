import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { retryPlan, type RetryPlan } from '#domain/renting/retry.ts'
import type { Offer } from '#domain/offers/offer.ts'
import { perHourCost } from '#domain/money/total-cost.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'
import { useRentStore } from './rent-store.ts'
import { retryText } from './rent-text.ts'

/** A little above what was chosen, so that there is something to take next. */
const headroom = 1.25

/** What to do when the instance doesn't start; lasts until Slipway quits, as the rent sheet does. */
export const useRetryStore = defineStore('retry', () => {
  const rent = useRentStore()
  const isOn = ref(false)
  const machines = ref('3')
  /** Empty: a quarter above the price of the chosen offer. */
  const cap = ref('')
  const bootMinutes = ref('10')
  const giveUpHours = ref('2')

  /** The highest price that is meant, in $/h with the disk that is asked for; `null` unless it's above 0. */
  function capOf(offer: Offer): number | null {
    const perHourUsd = perHourCost(offer, rent.diskGb)?.usd ?? 0
    const usd =
      cap.value.trim() === '' ? Math.ceil(perHourUsd * headroom * 1000) / 1000 : typedNumber(cap.value)
    return usd !== null && usd > 0 ? usd : null
  }

  const errors = computed(() => ({
    machines: problemOf('machines', typedNumber(machines.value), retryText.machines),
    cap:
      cap.value.trim() === ''
        ? undefined
        : problemOf('capPerHourUsd', typedNumber(cap.value) ?? 0, retryText.price),
    bootMinutes: problemOf('bootMinutes', typedNumber(bootMinutes.value), retryText.bootMinutes),
    giveUpHours: problemOf('giveUpAfterMinutes', giveUpMinutes(), retryText.giveUpHours),
  }))

  function giveUpMinutes(): number | null {
    const hours = typedNumber(giveUpHours.value)
    return hours === null ? null : hours * 60
  }

  /** The plan for an offer; `null` when something typed cannot be used, or no highest price is known. */
  const planFor = (offer: Offer): RetryPlan | null => planWithin(capOf(offer))

  /** The same with a highest price. */
  function planWithin(capPerHourUsd: number | null): RetryPlan | null {
    if (capPerHourUsd === null) return null
    const parsed = retryPlan.safeParse({
      machines: typedNumber(machines.value),
      capPerHourUsd,
      bootMinutes: typedNumber(bootMinutes.value),
      giveUpAfterMinutes: giveUpMinutes(),
    })
    return parsed.success ? parsed.data : null
  }

  /** Whether the offer can be rented as it is asked for. */
  function isComplete(offer: Offer): boolean {
    return !isOn.value || planFor(offer) !== null
  }

  return { isOn, machines, cap, bootMinutes, giveUpHours, errors, capOf, planFor, planWithin, isComplete }
})

function problemOf(field: keyof RetryPlan, value: number | null, message: string): string | undefined {
  return retryPlan.shape[field].safeParse(value).success ? undefined : message
}
