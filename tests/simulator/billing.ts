import type { Instance } from './fleet.ts'
import { diskPerHourUsd } from './offer-records.ts'

const SECONDS_PER_HOUR = 60 * 60

/** USD per hour for the instance's disk, charged as long as the instance exists. */
export const storagePerHourUsd = ({ offer, order }: Instance): number =>
  diskPerHourUsd(offer.storage_cost, order.diskGb)

/** USD per hour that the instance costs as it is now: computing is charged only while it runs (service API 3.1). */
export const perHourUsd = (instance: Instance): number =>
  storagePerHourUsd(instance) + (instance.status === 'running' ? instance.offer.dph_base : 0)

/** Counts what something costs whose price changes. */
export interface Meter {
  /** USD from the beginning to `nowSeconds`. */
  totalUsd(nowSeconds: number): number
  /** Sets the price from `sinceSeconds` on, which is not before the last change. */
  setPrice(usdPerHour: number, sinceSeconds: number): void
}

export function createMeter(): Meter {
  let settledUsd = 0
  let price = { usdPerHour: 0, sinceSeconds: 0 }
  const totalUsd = (nowSeconds: number): number =>
    settledUsd + (price.usdPerHour * (nowSeconds - price.sinceSeconds)) / SECONDS_PER_HOUR
  return {
    totalUsd,
    setPrice(usdPerHour, sinceSeconds) {
      settledUsd = totalUsd(sinceSeconds)
      price = { usdPerHour, sinceSeconds }
    },
  }
}
