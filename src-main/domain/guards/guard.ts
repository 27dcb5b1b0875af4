import { z } from 'zod'
import { assertNever } from '../base/assert-never.ts'
import { instanceIdentity, startedAtMs } from '../instances/instance-identity.ts'
import { isHalted, outlookOf, statusOutlook, type InstanceState } from '../instances/instance-status.ts'
import { actionKind } from '../instances/instance.ts'
import { watcherView } from './watcher.ts'
import { computePerHourUsd } from '../money/money.ts'

/** When a guard acts that is set by hand. */
export const chosenCondition = z.discriminatedUnion('kind', [
  /** So long after it was set. */
  z.object({ kind: z.literal('after'), hours: z.number().positive().max(8760) }),
  /** At a time, in ms since the epoch. */
  z.object({ kind: z.literal('at'), at: z.number().int().positive() }),
  /** When the instance has cost so much since it was rented. */
  z.object({ kind: z.literal('cost'), usd: z.number().positive().max(1_000_000) }),
  /** For so long nobody was connected to it from this computer; on the instance: nothing used it, and nobody was logged in. */
  z.object({ kind: z.literal('idle'), minutes: z.number().min(1).max(525_600) }),
  /** When no process has this name any more: as its program, as an argument, or as the last part of a path in these. */
  z.object({ kind: z.literal('process'), name: z.string().regex(/^[\w.:+=@%-]{1,100}$/) }),
  /** When it has been stopped for so long, without a break that Slipway has seen: it can only be destroyed then. */
  z.object({ kind: z.literal('stopped'), days: z.number().positive().max(365) }),
])
export type ChosenCondition = z.infer<typeof chosenCondition>
/** All kinds of conditions that can be chosen, in the order in which they are offered. */
export const guardKinds = chosenCondition.options.map(({ shape }) => shape.kind.value)

/** When a guard acts. */
const guardCondition = z.discriminatedUnion('kind', [
  ...chosenCondition.options,
  /** At once: all instances together have cost so much. Set for each by the limit (`cost-limit.ts`), and not by hand. */
  z.object({ kind: z.literal('limit'), usd: z.number() }),
])
export type GuardCondition = z.infer<typeof guardCondition>

/**
 * Where a guard acts: `instance`, by a script on the instance itself, also while this computer is off; `slipway`, only
 * while Slipway runs.
 */
const guardPlace = z.enum(['instance', 'slipway'])
export type GuardPlace = z.infer<typeof guardPlace>

const anywhere = ['instance', 'slipway'] as const
/** Where a guard of each condition can act: what is stopped runs no script, and Slipway sees no processes. */
export const placesOf: Readonly<Record<GuardCondition['kind'], readonly [GuardPlace, ...GuardPlace[]]>> = {
  after: anywhere,
  at: anywhere,
  cost: anywhere,
  idle: anywhere,
  process: ['instance'],
  stopped: ['slipway'],
  limit: ['slipway'],
}

/** Whether it's due depends on what is done on the instance, which nobody knows beforehand. */
export const dependsOnUse: Readonly<Record<GuardCondition['kind'], boolean>> = {
  after: false,
  at: false,
  cost: false,
  idle: true,
  process: true,
  stopped: false,
  limit: false,
}

/** What the window asks for. */
export const guardOrder = z.object({
  instanceId: z.number().int(),
  action: actionKind,
  condition: chosenCondition,
  place: guardPlace,
})
export type GuardOrder = z.infer<typeof guardOrder>

/** Times in ms since the epoch. */
export const guard = guardOrder.extend({
  condition: guardCondition,
  id: z.string(),
  /** Of the instance it was set for: another one with the same id is none of its business. */
  identity: instanceIdentity,
  setAt: z.number(),
  /** It was postponed: it does not act earlier. */
  notBefore: z.number().nullable(),
  /** The due time of which the user was warned. */
  warnedFor: z.number().nullable(),
  /** Since when the lists show it stopped; not from before the guard was set: the service does not say since when. */
  stoppedSince: z.number().nullable(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('armed') }),
    /** Written before the request leaves: from here on Slipway asks until the list shows the effect. */
    z.object({ kind: z.literal('acting'), dueAt: z.number(), firedAt: z.number() }),
  ]),
  /** Since when the lists have not had the instance. */
  absentSince: z.number().nullable(),
  /** The user was told that its instance doesn't watch it, though it runs. */
  isToldInactive: z.boolean().default(false),
})
export type Guard = z.infer<typeof guard>

/** A guard as the window shows it. */
const guardView = guard.extend({
  /** When it acts as things stand; `null` while that cannot be said, as of one that its instance doesn't watch. */
  dueAt: z.number().nullable(),
})
export type GuardView = z.infer<typeof guardView>

/** What a guard has done; stays until it is dismissed. */
export const firedGuard = guardOrder.extend({
  condition: guardCondition,
  id: z.string(),
  dueAt: z.number(),
  firedAt: z.number(),
  /** When the list showed the effect. */
  doneAt: z.number(),
  /** When the instance began to act by itself, as it says; `null` where it didn't say. */
  ranAt: z.number().nullable().default(null),
  /**
   * `not-needed`: it was there already. `other-instance`: the id belongs to another one now, which it spared. `seen`: the
   * instance was to act by itself and is as it should be since it was due; whose doing that is, it didn't say. `passed`: it
   * was due while its instance was stopped, which runs again.
   */
  outcome: z.enum(['done', 'not-needed', 'other-instance', 'seen', 'passed']),
})
export type FiredGuard = z.infer<typeof firedGuard>

export const guardsSnapshot = z.object({
  guards: z.array(guardView).readonly(),
  fired: z.array(firedGuard).readonly(),
  /** How the instances stand that are to see to guards by themselves. */
  onInstances: z.array(watcherView).readonly(),
})
export type GuardsSnapshot = z.infer<typeof guardsSnapshot>

/** How long before it acts the user is warned. */
export const warningMs = 10 * 60_000
/** “Add 1 hour”. */
export const postponeMs = 60 * 60_000
/** Later than this it was missed: Slipway was closed, the machine slept, or the service was away. */
const missedAfterMs = 2 * 60_000
/** A process has ended when it has not run for so long: what is started step by step has gaps. */
export const endedAfterMinutes = 10

export function wasMissed({ dueAt, firedAt }: { readonly dueAt: number; readonly firedAt: number }): boolean {
  return firedAt - dueAt > missedAfterMs
}

/** What a due time depends on besides the guard. */
export interface GuardFacts {
  /** As listed last; undefined while it is not known. */
  readonly instance: InstanceState | undefined
  /** When somebody was last connected to it from here; `null` while somebody is, or while that is not known. */
  readonly attendedAt: number | null
}

/** When a guard acts, in ms since the epoch, as things stand; `null` while its condition cannot come true. */
export function dueAtOf(
  guard: Pick<Guard, 'condition' | 'setAt' | 'notBefore' | 'stoppedSince'>,
  facts: GuardFacts,
): number | null {
  const due = conditionMetAt(guard, facts)
  const { notBefore } = guard
  return due === null ? null : Math.max(due, notBefore ?? due)
}

function conditionMetAt(
  { condition, setAt, stoppedSince }: Pick<Guard, 'condition' | 'setAt' | 'stoppedSince'>,
  { instance, attendedAt }: GuardFacts,
): number | null {
  switch (condition.kind) {
    case 'at':
      return condition.at
    case 'after':
      return setAt + condition.hours * 3_600_000
    case 'cost':
      return instance === undefined ? null : costReachedAt(instance, condition.usd)
    case 'idle':
      return instance === undefined || attendedAt === null || outlookOf(instance).kind === 'booting'
        ? null
        : attendedAt + condition.minutes * 60_000
    case 'process':
      return null
    case 'limit':
      return setAt
    case 'stopped':
      return stoppedSince === null ? null : stoppedSince + condition.days * 24 * 3_600_000
    default:
      return assertNever(condition)
  }
}

/** When an instance that computes will have cost so much at its rate. */
function costReachedAt(instance: InstanceState, usd: number): number | null {
  const perHourUsd = computePerHourUsd(instance.record)
  const startedAt = startedAtMs(instance.record)
  if (perHourUsd === null || perHourUsd === 0 || startedAt === null) return null
  if (isHalted(instance)) return null
  return startedAt + (usd / perHourUsd) * 3_600_000
}

/** Whether it's surely stopped, for what can't be undone: no other state contradicts that. */
export function isAtRest(instance: InstanceState): boolean {
  const { kind } = statusOutlook(instance.status)
  return outlookOf(instance).kind === 'stopped' && kind !== 'ready' && kind !== 'booting'
}
