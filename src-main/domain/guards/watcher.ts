import { z } from 'zod'
import { actionKind } from '../instances/instance.ts'

/** Why an instance takes no guard, in the words of `resources/machine/guard.sh`. */
export const watcherRefusal = z.enum([
  /** Neither the keychain nor the instance has the instance's own key. */
  'no-key',
  /** None of curl, wget, and python3 is there. */
  'no-tool',
  /** The service doesn't answer there. */
  'no-service',
  /** No folder there can be written to. */
  'read-only',
  'disk-full',
  /** No /proc, by which time and processes are counted. */
  'no-proc',
  /** The order was not understood. */
  'bad-order',
])
export type WatcherRefusal = z.infer<typeof watcherRefusal>

/**
 * What keeps an instance from counting as idle, or a process from having ended: it runs, or has not run since the rule was
 * set. `unmeasured`: of its GPUs.
 */
export const busyReason = z.enum([
  ...(['busy-gpu', 'login', 'load', 'job', 'process', 'process-unseen'] as const),
  ...(['unmeasured', 'unmeasured-login', 'unmeasured-load', 'unmeasured-process'] as const),
])
export type BusyReason = z.infer<typeof busyReason>

/** What a guard goes by on its instance: the time, idleness, or a process. */
export const watchedCondition = z.enum(['after', 'idle', 'process'])

/** How far a guard is on its instance. */
const watchedGuard = z.object({
  id: z.string(),
  action: actionKind,
  condition: watchedCondition,
  /** For so long it has been idle, has the process not run, or has the time been running. */
  elapsedSeconds: z.number(),
  seconds: z.number(),
  /** Until it acts as things stand; 0 when it is due. */
  leftSeconds: z.number(),
  busy: busyReason.nullable(),
  phase: z.enum(['waiting', 'warned', 'acting', 'done']),
  /** The HTTP status of the last reply to the instance, which asked the service to act; 0 without one. */
  reply: z.number(),
  /** The instance has said that it watches it; else it was told, and may or may not have heard. */
  isHeard: z.boolean(),
  /** To when it was postponed, and when it was due by what Slipway told the instance last. */
  notBefore: z.number().nullable(),
  toldDueAt: z.number().nullable(),
})
export type WatchedGuard = z.infer<typeof watchedGuard>

/**
 * What an instance that is to see to guards by itself has said last, kept over restarts of Slipway. Times in ms since
 * the epoch.
 */
export const lastWord = z.object({
  instanceId: z.number().int(),
  /** When it last said how it watches; `null` if it never did, or does so no more. */
  heardAt: z.number().nullable(),
  /** Those of this computer that it watches, as it said last. One that isn't a guard any more is still to be removed. */
  watched: z.array(watchedGuard).readonly(),
  /** So many guards of another computer it watches, too. */
  foreign: z.number().int(),
  /** Whether the service told the instance's key from a made-up one. */
  isProven: z.boolean(),
})
export type LastWord = z.infer<typeof lastWord>

export function nothingHeard(instanceId: number): LastWord {
  return { instanceId, heardAt: null, watched: [], foreign: 0, isProven: true }
}

/** Why Slipway can't say that an instance sees to its guards as it should. */
const watcherProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), why: watcherRefusal }),
  /** It doesn't run yet, or no more. */
  z.object({ kind: z.literal('not-running') }),
  /** SSH doesn't connect: the connection says why. */
  z.object({ kind: z.literal('not-connected') }),
  /** What it answered isn't what the script says, also after that was placed again. */
  z.object({ kind: z.literal('not-understood') }),
  /** The service names no price, so that a guard that goes by cost can't be told. */
  z.object({ kind: z.literal('cost-unknown') }),
])
export type WatcherProblem = z.infer<typeof watcherProblem>

/** How an instance stands that is to see to guards by itself. */
export const watcherView = lastWord.extend({
  /** What the last look came to; `null` when all is as it should be. What the instance was told before goes on there. */
  problem: watcherProblem.nullable(),
  /** A look is under way. */
  isLooking: z.boolean(),
})
export type WatcherView = z.infer<typeof watcherView>

/** The guard as its instance watches it, as far as Slipway knows; `null` when it doesn't. */
export function watchedOf(guardId: string, watcher: WatcherView | null): WatchedGuard | null {
  if (watcher === null || watcher.heardAt === null || watcher.problem?.kind === 'not-running') return null
  return watcher.watched.find(({ id, isHeard }) => isHeard && id === guardId) ?? null
}

/** What an instance said so long ago says little of now. */
const activeForMs = 2 * 24 * 3_600_000

/** Whether the instance watches the guard as it was set last, and has said so not too long ago. `now` in ms. */
export function isActive(
  guard: { readonly id: string; readonly notBefore: number | null },
  watcher: WatcherView | null,
  now: number,
): boolean {
  const watched = watchedOf(guard.id, watcher)
  const heardAt = watcher?.heardAt ?? null
  if (watched === null || heardAt === null || now - heardAt >= activeForMs) return false
  return watched.notBefore === guard.notBefore && !isRefusedByService(watched)
}

/** The service says no to the instance's own key, again and again: it can't do what it is to do. */
export function isRefusedByService({ phase, reply }: Pick<WatchedGuard, 'phase' | 'reply'>): boolean {
  return phase === 'acting' && (reply === 401 || reply === 403 || reply === 404)
}

/** When a guard acts by what its instance said last, as things stood; `null` if it didn't say. */
export function dueAtByWord(word: LastWord | null, guardId: string): number | null {
  const rule = word?.watched.find(({ id }) => id === guardId)
  if (word === null || rule === undefined || word.heardAt === null) return null
  return word.heardAt + rule.leftSeconds * 1000
}
