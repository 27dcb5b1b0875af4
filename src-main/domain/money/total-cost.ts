import { fieldOf, knownNumber, knownRate, type FieldRecord } from '../fields/field-format.ts'
import { diskPrice } from './money.ts'

/** What somebody wants from a machine. An amount that was not said is `null`, and makes its part unknown. */
export interface WantedUse {
  readonly hours: number | null
  readonly diskGb: number | null
  readonly upGb: number | null
  readonly downGb: number | null
}

export type CostPart =
  | {
      readonly kind: 'known'
      readonly usd: number
      /** Some disk of an unknown size is in it that cannot be taken out; the disk below counts it again. */
      readonly includesDisk: boolean
    }
  /** Never 0: the service names no price, or nobody has said how much. */
  | { readonly kind: 'unknown'; readonly missing: 'price' | 'amount' }

export type CostPartName = 'gpu' | 'disk' | 'up' | 'down'

/** How the sum of the known parts stands to what will be charged. */
export type CostBound = 'exact' | 'at-least' | 'at-most' | 'about'

export interface TotalCost {
  readonly parts: Readonly<Record<CostPartName, CostPart>>
  /** Of the parts that are known; `null` when none is. */
  readonly total: { readonly usd: number; readonly bound: CostBound } | null
}

/**
 * What an offer costs for a while, disk and traffic included, at the prices in its record: `dph_base` $/h,
 * `storage_cost` $/GB/month, `inet_up_cost` and `inet_down_cost` $/GB.
 */
export function totalCost(offer: FieldRecord, { hours, diskGb, upGb, downGb }: WantedUse): TotalCost {
  const computing = computingRate(offer)
  const diskRate = diskGb === null ? null : (diskPrice(offer, diskGb)?.perHourUsd ?? null)
  const parts = {
    gpu: part(computing?.perHourUsd ?? null, hours, computing?.includesDisk),
    disk: diskGb === null ? missingAmount : diskGb === 0 ? free : part(diskRate, hours),
    up: part(knownRate(offer, 'inet_up_cost'), upGb),
    down: part(knownRate(offer, 'inet_down_cost'), downGb),
  }
  return { parts, total: sumOf(Object.values(parts)) }
}

/**
 * What an hour costs with a disk of `diskGb` (`null` when nobody has said how much), without traffic; `null`
 * when the price of computing is not known.
 */
export function perHourCost(offer: FieldRecord, diskGb: number | null): TotalCost['total'] {
  const { parts, total } = totalCost(offer, { hours: 1, diskGb, upGb: 0, downGb: 0 })
  return parts.gpu.kind === 'known' ? total : null
}

interface ComputingRate {
  readonly perHourUsd: number
  readonly includesDisk: boolean
}

/** The rate of computing alone: `dph_total` has a disk in it, of a size that the service chose. */
function computingRate(offer: FieldRecord): ComputingRate | null {
  const base = knownRate(offer, 'dph_base')
  if (base !== null) return { perHourUsd: base, includesDisk: false }
  const total = knownRate(offer, 'dph_total')
  if (total === null) return null
  const disk = knownRate(offer, 'storage_total_cost')
  return disk !== null && disk <= total
    ? { perHourUsd: total - disk, includesDisk: false }
    : { perHourUsd: total, includesDisk: true }
}

const missingAmount: CostPart = { kind: 'unknown', missing: 'amount' }
const free: CostPart = { kind: 'known', usd: 0, includesDisk: false }

function part(rate: number | null, amount: number | null, includesDisk = false): CostPart {
  if (amount === null || !Number.isFinite(amount) || amount < 0) return missingAmount
  // Nothing of something costs nothing, whatever its price.
  if (amount === 0) return free
  const usd = rate === null ? Number.NaN : rate * amount
  return Number.isFinite(usd) ? { kind: 'known', usd, includesDisk } : { kind: 'unknown', missing: 'price' }
}

function sumOf(parts: readonly CostPart[]): TotalCost['total'] {
  const known = parts.filter((one) => one.kind === 'known')
  const usd = known.reduce((sum, one) => sum + one.usd, 0)
  if (known.length === 0 || !Number.isFinite(usd)) return null
  const isPartial = known.length < parts.length
  const isTooHigh = known.some(({ includesDisk }) => includesDisk)
  return { usd, bound: isTooHigh ? (isPartial ? 'about' : 'at-most') : isPartial ? 'at-least' : 'exact' }
}

/** What a machine cannot give, though it was asked for. */
export interface Shortfall {
  /** Hours for which it can be had, when that is less than wanted. */
  readonly hours: number | null
  /** Disk that it has, in GB, when that is less than wanted. */
  readonly diskGb: number | null
}

/** Where the wish goes beyond the offer's `duration` (seconds) or `disk_space` (GB). */
export function shortfallOf(offer: FieldRecord, { hours, diskGb }: WantedUse): Shortfall {
  const seconds = knownNumber(fieldOf(offer, 'duration'))
  const spaceGb = knownRate(offer, 'disk_space')
  const availableHours = seconds === null ? null : Math.max(0, seconds) / 3600
  return {
    hours: availableHours !== null && hours !== null && hours > availableHours ? availableHours : null,
    diskGb: spaceGb !== null && diskGb !== null && diskGb > spaceGb ? spaceGb : null,
  }
}
