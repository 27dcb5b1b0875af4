import { z } from 'zod'
import type { InstanceState } from '../instances/instance-status.ts'
import { burnPerHourUsd } from '../money/money.ts'
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
  /** When the last list came that was counted. */
  countedAt: z.number(),
  /** What they cost since then, by that list. */
  perHourUsd: z.number(),
  /** When the user was told that it is near. */
  warnedAt: z.number().nullable(),
  /** Since when it stops what runs. */
  reachedAt: z.number().nullable(),
})
export type CostLimit = z.infer<typeof costLimit>

/** The limit as the window shows it. */
export const costLimitView = costLimit.pick({ usd: true, setAt: true, reachedAt: true }).extend({
  spentUsd: z.number(),
  /** When the instances are stopped as things stand; `null` while nothing is charged. */
  dueAt: z.number().nullable(),
  /** So many instances came without a price, or in a record that can't be read: what they cost isn't counted. */
  uncounted: z.number().int(),
})
export type CostLimitView = z.infer<typeof costLimitView>

/** A list of instances, of now or of when the service last gave one. */
export interface CountedList {
  readonly instances: readonly InstanceState[] | null
  /** Records that can't be read. */
  readonly unreadable: readonly unknown[]
}

/** After a longer time between two lists, Slipway was closed, this computer slept, or the service was away. */
const gapMs = 10 * 60_000
/** A count is kept at least so often. */
const keepEveryMs = 5 * 60_000
/** From when it's reached, each list is looked through for so long: one may lack an instance by a fault of the service. */
const stopsForMs = 10 * 60_000

/** What was counted by a former limit goes on. */
export function newLimit(usd: number, former: CostLimit | null, list: CountedList, now: number): CostLimit {
  const isGoingOn = former !== null && former.reachedAt === null
  return {
    ...(isGoingOn
      ? former
      : { setAt: now, spentUsd: 0, countedAt: now, perHourUsd: rateOf(list.instances) ?? 0 }),
    ...{ usd, warnedAt: null, reachedAt: null },
  }
}

/**
 * The limit counted on to a list, at the lower of the rates before and after: neither an absurd price that is gone in the
 * next list, nor what was stopped elsewhere while Slipway was closed, has running instances stopped. What a wrong clock
 * added is taken back when that is set back.
 *
 * @param fetchedAt when the list came; each list counts once
 */
export function countOn(limit: CostLimit, instances: readonly InstanceState[], fetchedAt: number): CostLimit {
  const rate = rateOf(instances) ?? limit.perHourUsd
  const perHourUsd = Math.min(limit.perHourUsd, rate)
  const isGap = Math.abs(fetchedAt - limit.countedAt) > gapMs
  const counted = {
    ...limit,
    spentUsd: Math.max(0, spentAt({ ...limit, perHourUsd }, fetchedAt)),
    countedAt: fetchedAt,
    perHourUsd: rate,
  }
  const fullAt = fullAtOf(counted, fetchedAt)
  const isFar = fullAt === null || fullAt - fetchedAt > 2 * warningMs
  // Who was warned before a gap may have started other things since.
  return isFar || isGap ? { ...counted, warnedAt: null } : counted
}

/** Whether a count differs from the kept one by more than time going by. */
export function isWorthKeeping(kept: CostLimit, counted: CostLimit): boolean {
  const { perHourUsd, warnedAt, reachedAt } = kept
  return (
    perHourUsd !== counted.perHourUsd ||
    warnedAt !== counted.warnedAt ||
    reachedAt !== counted.reachedAt ||
    Math.abs(counted.countedAt - kept.countedAt) >= keepEveryMs
  )
}

/** Whether the user is to be warned now. */
export function isNear(limit: CostLimit, now: number): boolean {
  const fullAt = fullAtOf(limit, now)
  return limit.warnedAt === null && fullAt !== null && fullAt - now <= warningMs
}

/** When the instances are stopped: never less than a whole warning after it was given. `null` while nothing is charged. */
export function limitDueAt(limit: CostLimit, now: number): number | null {
  const fullAt = fullAtOf(limit, now)
  // A clock that was set back makes nothing later.
  const warnedAt = Math.min(limit.warnedAt ?? now, now)
  return fullAt === null ? null : Math.max(fullAt, warnedAt + warningMs)
}

/** Whether it has stopped what there was to stop, and is over. */
export function isOver({ reachedAt }: CostLimit, now: number): boolean {
  return reachedAt !== null && Math.abs(now - reachedAt) >= stopsForMs
}

export function limitView(limit: CostLimit, list: CountedList, now: number): CostLimitView {
  const { usd, setAt, reachedAt } = limit
  return {
    ...{ usd, setAt, reachedAt, spentUsd: spentAt(limit, now), dueAt: limitDueAt(limit, now) },
    uncounted: uncountedIn(list),
  }
}

/** Instances whose cost nobody knows. */
export function uncountedIn({ instances, unreadable }: CountedList): number {
  const burn = burnPerHourUsd(instances)
  const unpriced = burn.kind === 'known' ? burn.unpriced : (instances?.length ?? 0)
  return unpriced + unreadable.length
}

function spentAt({ spentUsd, perHourUsd, countedAt }: CostLimit, now: number): number {
  return spentUsd + (perHourUsd * (now - countedAt)) / hourMs
}

/** When they will have cost as much as they may; now if they have. */
function fullAtOf(limit: CostLimit, now: number): number | null {
  const left = limit.usd - spentAt(limit, now)
  if (left <= 0) return now
  return limit.perHourUsd > 0 ? now + (left / limit.perHourUsd) * hourMs : null
}

function rateOf(instances: readonly InstanceState[] | null): number | null {
  const burn = burnPerHourUsd(instances)
  return burn.kind === 'known' ? burn.perHourUsd : null
}
