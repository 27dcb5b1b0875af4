import { z } from 'zod'

/** Why an instance takes no guard, in the words of `resources/machine/guard.sh`. */
export const watcherRefusal = z.enum([
  /** Neither the keychain nor the instance has the instance's own key. */
  'no-key',
  /** None of curl, wget, and python3 is there. */
  'no-tool',
  /** The service doesn't answer there. */
  'no-service',
  /** The service refuses the instance's key. */
  'refused',
  /** No folder there can be written to. */
  'read-only',
  'disk-full',
  /** No /proc, by which time and processes are counted. */
  'no-proc',
  /** The order was not understood. */
  'bad-order',
])
export type WatcherRefusal = z.infer<typeof watcherRefusal>

/** What keeps an instance from counting as idle; `unmeasured`: of its GPUs. */
export const busyReason = z.enum([
  ...(['busy-gpu', 'login', 'load', 'job'] as const),
  ...(['unmeasured', 'unmeasured-login', 'unmeasured-load'] as const),
])
export type BusyReason = z.infer<typeof busyReason>

/** How far a guard is on its instance. */
const watchedGuard = z.object({
  id: z.string(),
  /** For so long it has been idle, or has the time been running. */
  elapsedSeconds: z.number(),
  seconds: z.number(),
  busy: busyReason.nullable(),
  phase: z.enum(['waiting', 'warned', 'acting', 'done']),
})

/** Why Slipway can't say that an instance sees to its guards. */
const watcherProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), why: watcherRefusal }),
  /** It doesn't run yet, or no more. */
  z.object({ kind: z.literal('not-running') }),
  /** SSH doesn't connect: the connection says why. */
  z.object({ kind: z.literal('not-connected') }),
  /** What it answered isn't what the script says. */
  z.object({ kind: z.literal('not-understood') }),
])
export type WatcherProblem = z.infer<typeof watcherProblem>

/** How an instance stands that is to see to guards by itself. Times in ms since the epoch. */
export const watcherView = z.object({
  instanceId: z.number().int(),
  /** When it last said that it watches; `null` if it never did, or does so no more. */
  heardAt: z.number().nullable(),
  /** Those that it watches, as it said last. */
  watched: z.array(watchedGuard).readonly(),
  /** So many guards of another computer it watches, too. */
  foreign: z.number().int(),
  /** Why the last look failed; `null` when it didn't. What it was told before goes on there. */
  problem: watcherProblem.nullable(),
  /** A look is under way. */
  isLooking: z.boolean(),
})
export type WatcherView = z.infer<typeof watcherView>
