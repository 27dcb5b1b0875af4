import { diskPerHourUsd, type OfferRecord } from './offers/offer-records.ts'

const SECONDS_PER_HOUR = 60 * 60

/** What the price of an instance goes by. */
interface Priced {
  readonly offer: Pick<OfferRecord, 'storage_cost' | 'dph_base'>
  readonly order: { readonly diskGb: number }
  readonly status: string | null
  readonly isStopped: boolean
}

/** USD per hour for the instance's disk, charged as long as the instance exists. */
export const storagePerHourUsd = ({ offer, order }: Pick<Priced, 'offer' | 'order'>): number =>
  diskPerHourUsd(offer.storage_cost, order.diskGb)

/** What costs only its disk (service API 3.1). */
const DISK_ONLY: ReadonlySet<string | null> = new Set(['stopped', 'exited', 'unknown', 'offline'])

/**
 * USD per hour that the instance costs as it is now. The API doesn't say what an instance costs that boots, or is in a
 * state of its own: as much as one that runs, as the window counts.
 */
export const perHourUsd = (instance: Priced): number =>
  storagePerHourUsd(instance) +
  (instance.isStopped || DISK_ONLY.has(instance.status) ? 0 : instance.offer.dph_base)

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
