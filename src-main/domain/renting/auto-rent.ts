import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { savedSearch } from '../offers/offer-lists.ts'
import { priceLimit } from '../offers/offer-watch.ts'

/** What a watched search may rent: never more, over its whole life. */
export const autoRentPlan = z.object({
  /** How many instances in all, whatever becomes of them. */
  instances: z.number().int().min(1).max(20),
  /** What each may cost, disk included. */
  capPerHourUsd: priceLimit,
})
export type AutoRentPlan = z.infer<typeof autoRentPlan>

/** Why it rents nothing more. */
export const autoRentOutcome = z.discriminatedUnion('kind', [
  /** As many were rented as may be. */
  z.object({ kind: z.literal('complete') }),
  /** The user stopped it. */
  z.object({ kind: z.literal('stopped') }),
  /** The search was saved anew or deleted, or isn't watched anymore. */
  z.object({ kind: z.literal('search-changed') }),
  /** The credit lasts for less than the user wants to be warned of, with what would be rented next. */
  z.object({ kind: z.literal('low-credit') }),
  /** Slipway stops all instances: they have cost as much as they may together. */
  z.object({ kind: z.literal('limit-reached') }),
  /** A line of its journal can't be read: it may have ended it. */
  z.object({ kind: z.literal('record-damaged') }),
  /** What was to be rented isn't known anymore: it lasted for one run, for want of a keychain. */
  z.object({ kind: z.literal('request-lost') }),
  /** A reply was lost and several instances are new: Slipway doesn't guess which of them it rented. */
  z.object({ kind: z.literal('ambiguous'), instanceIds: z.array(z.number().int()).readonly() }),
  /** By the service, for a reason that the next offer would meet, too, or too often. */
  z.object({ kind: z.literal('refused'), problem }),
])
export type AutoRentOutcome = z.infer<typeof autoRentOutcome>

/** What the account's money says against another instance: it ends auto-rent, or it may pass. */
export type MoneyObstacle = 'low-credit' | 'limit-reached' | 'credit-unknown' | 'limit-near'

/** What it waits for, although an offer may be cheap enough. */
const autoRentWait = z.enum([
  'instances-unlisted',
  'auto-retry',
  'credit-unknown',
  'limit-near',
  /** It isn't known yet what became of a rental, of this search or another. */
  'last-rental',
])
export type AutoRentWait = z.infer<typeof autoRentWait>

export const autoRentView = z.object({
  id: z.string(),
  searchId: savedSearch.shape.id,
  /** The search's name when it was begun. */
  name: z.string(),
  begunAt: z.number(),
  plan: autoRentPlan,
  instanceIds: z.array(z.number().int()).readonly(),
  /** A request is under way, or its reply was lost and the list is asked. */
  isRenting: z.boolean(),
  /** The user stopped it, and what became of its last rental isn't known yet. */
  isStopping: z.boolean(),
  waitsFor: autoRentWait.nullable(),
  /** What is in the way now; Slipway goes on. */
  problem: problem.nullable(),
  /** `null` while it goes on. */
  outcome: autoRentOutcome.nullable(),
})
export type AutoRentView = z.infer<typeof autoRentView>
