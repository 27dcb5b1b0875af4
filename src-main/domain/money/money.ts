import { z } from 'zod'
import { formatDecimals } from '../base/format-locale.ts'
import { knownNumber, knownRate, type FieldRecord } from '../fields/field-format.ts'
import { startedAtMs } from '../instances/instance-identity.ts'
import { isHalted, outlookOf, type InstanceState } from '../instances/instance-status.ts'

/** Hours of a month in prices per month: 365 × 24 / 12. */
export const hoursPerMonth = 730

/** What is charged for an instance now; a rate that the service does not name is `null`, never 0. */
export type Charge =
  /** Computing, disk included. */
  | { readonly kind: 'compute'; readonly perHourUsd: number | null }
  /** Stopped or dead: its disk goes on being charged (service API 3.1). */
  | { readonly kind: 'disk-only'; readonly perHourUsd: number | null }

export function chargeOf(instance: InstanceState): Charge {
  const { record } = instance
  return isHalted(instance)
    ? { kind: 'disk-only', perHourUsd: diskPerHourUsd(record) }
    : { kind: 'compute', perHourUsd: computePerHourUsd(record) }
}

/** The rate of an offer or a computing instance (`dph_total`), in $/h. */
export function computePerHourUsd(record: FieldRecord): number | null {
  return knownRate(record, 'dph_total')
}

/**
 * What the disk of an instance costs while it does not compute, in $/h: the total where the service names
 * it, else price × size.
 */
export function diskPerHourUsd(record: FieldRecord): number | null {
  const total = knownRate(record, 'storage_total_cost')
  if (total !== null) return total
  const diskGb = knownRate(record, 'disk_space')
  return diskGb === null ? null : (diskPrice(record, diskGb)?.perHourUsd ?? null)
}

export interface DiskPrice {
  readonly perMonthUsd: number
  readonly perHourUsd: number
}

/** What a disk of `diskGb` costs by `storage_cost` ($/GB/month); `null` when that is not known. */
export function diskPrice(record: FieldRecord, diskGb: number): DiskPrice | null {
  const perGbMonthUsd = knownRate(record, 'storage_cost')
  if (perGbMonthUsd === null || !Number.isFinite(diskGb) || diskGb < 0) return null
  const perMonthUsd = perGbMonthUsd * diskGb
  return { perMonthUsd, perHourUsd: perMonthUsd / hoursPerMonth }
}

/** Dollars per hour of all instances together. */
export type Burn =
  | { readonly kind: 'unknown' }
  /** `unpriced` of the `charged` instances came without a price: the rate is then a lower bound. */
  | {
      readonly kind: 'known'
      readonly perHourUsd: number
      readonly charged: number
      readonly unpriced: number
    }

/**
 * What is spent now; unknown before the first list, and when nothing that is charged has a price.
 *
 * @param unreadable how many records of the list can't be read: they may be charged, and have no price
 */
export function burnPerHourUsd(instances: readonly InstanceState[] | null, unreadable = 0): Burn {
  if (instances === null) return { kind: 'unknown' }
  const unknownCharges = Array.from({ length: unreadable }, () => null)
  return burnOf([...instances.map((instance) => chargeOf(instance).perHourUsd), ...unknownCharges])
}

/** The same of what is charged for each. */
export function burnOf(charges: readonly (number | null)[]): Burn {
  const rates = charges.filter((rate) => rate !== null)
  if (charges.length > 0 && rates.length === 0) return { kind: 'unknown' }
  return {
    kind: 'known',
    perHourUsd: rates.reduce((sum, rate) => sum + rate, 0),
    charged: charges.length,
    unpriced: charges.length - rates.length,
  }
}

/** How a sum stands to what is charged in truth. */
export const sumBound = z.enum([
  'exact',
  /** Some of what is charged has no price, or isn't known. */
  'at-least',
  /** Some of what is charged may be missing, or counted though it's gone. */
  'about',
])
export type SumBound = z.infer<typeof sumBound>

/** @param isIncomplete whether a record of the list can't be read: it may be charged, or be one that's counted from before */
export function boundOf(burn: Burn, isIncomplete: boolean): SumBound {
  if (isIncomplete) return 'about'
  return burn.kind === 'known' && burn.unpriced === 0 ? 'exact' : 'at-least'
}

/** Before the sum. */
export const boundWords: Readonly<Record<SumBound, string>> = {
  exact: '',
  'at-least': 'at least ',
  about: 'about ',
}

/** Hours that `creditUsd` lasts at the known rate; `null` when either is unknown or nothing is spent. */
export function runwayHours(creditUsd: number | null | undefined, burn: Burn): number | null {
  const credit = knownNumber(creditUsd)
  if (credit === null || burn.kind === 'unknown' || burn.perHourUsd <= 0) return null
  return Math.max(0, credit) / burn.perHourUsd
}

export interface CostSoFar {
  readonly usd: number
  /** It does not compute any more and nobody knows since when, so the true cost is lower. */
  readonly atMost: boolean
}

/**
 * What an instance has cost since its `start_date` at its rate; `null` when either is unknown. A stopped one's
 * rate has changed on the way, so its cost is unknown. `now` in ms.
 */
export function costSoFar(instance: InstanceState, now: number): CostSoFar | null {
  const rate = computePerHourUsd(instance.record)
  const startedAt = startedAtMs(instance.record)
  const { kind } = outlookOf(instance)
  if (rate === null || startedAt === null || kind === 'stopped') return null
  return {
    // A clock that is behind the service's must not make it negative.
    usd: (rate * Math.max(0, now - startedAt)) / 3_600_000,
    atMost: kind === 'dead-end',
  }
}

/** What stands where a value is not known. Never 0: an unknown price is not a free machine. */
export const unknown = '–'

type Maybe = number | null | undefined

export function isKnown(value: Maybe): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/**
 * US dollars with two to four significant digits: `$0.342`, `$1.84`, `$42.10`, `$1,250`. Prices below a cent
 * keep the digits that tell them apart: `$0.0035`. The sign stands in front in every locale: the currency is the service's.
 */
export function formatUsd(amount: Maybe): string {
  if (!isKnown(amount)) return unknown
  const size = Math.abs(amount)
  const digits = size >= 100 ? 0 : size === 0 || size >= 1 ? 2 : fractionDigitsFor(size)
  return `${amount < 0 ? '−' : ''}$${formatDecimals(size, Math.min(2, digits), digits)}`
}

/** Fraction digits that show three significant ones of a number below 1; at most 8. */
function fractionDigitsFor(size: number): number {
  return Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(size))))
}

/** A rate: `$0.342/h`. */
export function formatUsdPerHour(amount: Maybe): string {
  return isKnown(amount) ? `${formatUsd(amount)}/h` : unknown
}
