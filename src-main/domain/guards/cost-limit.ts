import { z } from 'zod'
import { burnPerHourUsd } from '../money/money.ts'
import type { InstanceState } from '../instances/instance-status.ts'
import { warningMs } from './guard.ts'

const hourMs = 3_600_000

/** Dollars that all instances may cost together before Slipway stops them. */
export const limitUsd = z.number().positive().max(1_000_000)

/** Stops all running instances once all have cost so much together. Times in ms since the epoch. */
export const costLimit = z.object({
  usd: limitUsd,
  setAt: z.number(),
  /** What they have cost from when it was set until `countedAt`: Slipway's estimate, by the prices in the lists. */
  spentUsd: z.number(),
  countedAt: z.number(),
  /** What they have cost since then, by the last list. */
  perHourUsd: z.number(),
  /** When the user was told that it is near. */
  warnedAt: z.number().nullable(),
})
export type CostLimit = z.infer<typeof costLimit>

/** The limit as the window shows it. */
export const costLimitView = costLimit.pick({ usd: true, setAt: true }).extend({
  spentUsd: z.number(),
  /** When the instances are stopped as things stand; `null` while nothing is charged. */
  dueAt: z.number().nullable(),
  /** So many instances came without a price: what they cost isn't counted. */
  unpriced: z.number().int(),
})
export type CostLimitView = z.infer<typeof costLimitView>

/** A count is kept at least so often. */
const keepEveryMs = 5 * 60_000

export function newLimit(usd: number, instances: readonly InstanceState[] | null, now: number): CostLimit {
  const perHourUsd = rateOf(instances) ?? 0
  return { usd, setAt: now, spentUsd: 0, countedAt: now, perHourUsd, warnedAt: null }
}

/**
 * The limit counted on to now by a list of now, at the lower of the rates before and after: neither an absurd price that
 * is gone in the next list, nor what was stopped elsewhere while Slipway was closed, has running instances stopped.
 */
export function countOn(limit: CostLimit, instances: readonly InstanceState[], now: number): CostLimit {
  const rate = rateOf(instances) ?? limit.perHourUsd
  const counted = {
    ...limit,
    spentUsd: spentAt({ ...limit, perHourUsd: Math.min(limit.perHourUsd, rate) }, now),
    // A clock that was set back counts on from there.
    countedAt: now,
    perHourUsd: rate,
  }
  const reachedAt = reachedAtOf(counted, now)
  const isFar = reachedAt === null || reachedAt - now > 2 * warningMs
  return isFar ? { ...counted, warnedAt: null } : counted
}

/** Whether a count differs from the kept one by more than time going by. */
export function isWorthKeeping(kept: CostLimit, counted: CostLimit): boolean {
  return (
    kept.perHourUsd !== counted.perHourUsd ||
    kept.warnedAt !== counted.warnedAt ||
    Math.abs(counted.countedAt - kept.countedAt) >= keepEveryMs
  )
}

/** Whether the user is to be warned now. */
export function isNear(limit: CostLimit, now: number): boolean {
  const reachedAt = reachedAtOf(limit, now)
  return limit.warnedAt === null && reachedAt !== null && reachedAt - now <= warningMs
}

/** When the instances are stopped: never less than a whole warning after it was given. `null` while nothing is charged. */
export function limitDueAt(limit: CostLimit, now: number): number | null {
  const reachedAt = reachedAtOf(limit, now)
  return reachedAt === null ? null : Math.max(reachedAt, (limit.warnedAt ?? now) + warningMs)
}

export function limitView(
  limit: CostLimit,
  instances: readonly InstanceState[] | null,
  now: number,
): CostLimitView {
  const burn = burnPerHourUsd(instances)
  const { usd, setAt } = limit
  return {
    ...{ usd, setAt, spentUsd: spentAt(limit, now), dueAt: limitDueAt(limit, now) },
    unpriced: burn.kind === 'known' ? burn.unpriced : (instances?.length ?? 0),
  }
}

function spentAt({ spentUsd, perHourUsd, countedAt }: CostLimit, now: number): number {
  return spentUsd + (perHourUsd * Math.max(0, now - countedAt)) / hourMs
}

/** When they will have cost as much as they may; in the past if they have. */
function reachedAtOf(limit: CostLimit, now: number): number | null {
  const left = limit.usd - spentAt(limit, now)
  if (left <= 0) return now
  return limit.perHourUsd > 0 ? now + (left / limit.perHourUsd) * hourMs : null
}

function rateOf(instances: readonly InstanceState[] | null): number | null {
  const burn = burnPerHourUsd(instances)
  return burn.kind === 'known' ? burn.perHourUsd : null
}
