import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { unreadableRecords } from '../rental-api/unreadable-record.ts'

/** Of a status that is no text, so much is shown. */
const longestStatus = 100

/**
 * An instance as the service describes it (service API 2.3); unknown fields are kept and shown. What is of another type
 * than promised is no reason to lose sight of what is charged: such a status is shown as it came, an address isn't known.
 */
export const instanceRecord = z.looseObject({
  id: z.number().int(),
  actual_status: z
    .string()
    .nullish()
    .catch(({ value }) => JSON.stringify(value).slice(0, longestStatus)),
  ssh_host: z.string().nullish().catch(null),
  ssh_port: z.number().int().nullish().catch(null),
})
export type InstanceRecord = z.infer<typeof instanceRecord>

/** What can be asked of an instance. */
export const actionKind = z.enum(['stop', 'destroy'])
export type ActionKind = z.infer<typeof actionKind>

/** Whether nothing is left of the instance once the action has taken effect. */
export const endsInstance: Readonly<Record<ActionKind, boolean>> = { stop: false, destroy: true }

/** An action under way, or its last failure; the list itself says when it has taken effect. */
const instanceAction = z.object({
  action: actionKind,
  /** Milliseconds since the epoch. */
  since: z.number(),
  /** Why no good answer came; it may have happened all the same. */
  failure: problem.nullable(),
  /** How many lists have come since without showing the effect; see `isOverdue`. */
  lists: z.number().int(),
})
export type InstanceAction = z.infer<typeof instanceAction>

/** An instance as Slipway watches it: the record, what it has been seen to do, and what was asked of it. */
export const watchedInstance = z.object({
  id: z.number().int(),
  status: z.string().nullable(),
  record: instanceRecord,
  /** Statuses in the order seen, each with the time (ms) at which it was first seen. Never empty. */
  history: z
    .array(
      z.object({
        status: z.string().nullable(),
        at: z.number(),
        /** It ended what computes after Slipway had asked for a stop, which the service had accepted. */
        afterStop: z.literal(true).optional(),
      }),
    )
    .readonly(),
  pending: instanceAction.nullable(),
})
export type WatchedInstance = z.infer<typeof watchedInstance>

/** What became of a rental whose reply was lost, or that a crash interrupted; stays until dismissed. */
export const rentalNotice = z.object({
  id: z.string(),
  offerId: z.number().int(),
  /** When the rental was sent, ms since the epoch. */
  sentAt: z.number(),
  outcome: z.discriminatedUnion('kind', [
    /** Found in the list of instances: it is rented and charged. */
    z.object({ kind: z.literal('adopted'), instanceId: z.number().int() }),
    /** Several new instances appeared since: one of them may be this rental. */
    z.object({ kind: z.literal('ambiguous'), instanceIds: z.array(z.number().int()).readonly() }),
    /** Not in the list after repeated checks: nothing was rented. */
    z.object({ kind: z.literal('nothing-created') }),
    /** The service cannot be asked yet; Slipway goes on trying. */
    z.object({ kind: z.literal('checking') }),
  ]),
})
export type RentalNotice = z.infer<typeof rentalNotice>

/** The whole list at one time; the latest one is all that a window needs. */
export const instancesSnapshot = z.object({
  /** `null` before the first answer. */
  instances: z.array(watchedInstance).readonly().nullable(),
  /** Of the latest list; while there are any, an instance that isn't listed may be one of them. */
  unreadable: unreadableRecords,
  /** When the service last answered, ms since the epoch. */
  fetchedAt: z.number().nullable(),
  /** Why the last poll failed; the list is then the last known one. */
  problem: problem.nullable(),
  /** When the service is asked next, ms since the epoch; `null` while it is not polled. */
  nextPollAt: z.number().nullable(),
  notices: z.array(rentalNotice).readonly(),
})
export type InstancesSnapshot = z.infer<typeof instancesSnapshot>

/** Before the service was ever asked. */
export const nothingListed: InstancesSnapshot = {
  instances: null,
  unreadable: [],
  fetchedAt: null,
  problem: null,
  nextPollAt: null,
  notices: [],
}

/**
 * When the latest list came, ms since the epoch, for whoever concludes something from what it says or lacks; `null` when
 * there is none, and while a record of it can't be read: that may be any instance.
 */
export function wholeListAt({
  fetchedAt,
  unreadable,
}: Pick<InstancesSnapshot, 'fetchedAt' | 'unreadable'>): number | null {
  return unreadable.length === 0 ? fetchedAt : null
}
