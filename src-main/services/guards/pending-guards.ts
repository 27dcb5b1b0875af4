import type { Guard } from '../../domain/guards/guard.ts'
import { isActive, type WatcherView } from '../../domain/guards/watcher.ts'

/** Missing from the lists for so long, an instance has gone: one list without it may be a fault of the service. */
const goneAfterMs = 60_000

/**
 * How many guards don't stand as the user wishes while Slipway is closed: its own, and of those on instances the ones
 * that their instance doesn't watch as they were set last, or still watches though they were removed. `now` in ms.
 */
export function countPendingGuards(
  guards: readonly Guard[],
  watchers: readonly WatcherView[],
  now: number,
): number {
  const isGone = ({ absentSince }: Guard): boolean => absentSince !== null && now - absentSince >= goneAfterMs
  const watcherOf = (id: number): WatcherView | null =>
    watchers.find(({ instanceId }) => instanceId === id) ?? null
  const waiting = guards.filter(
    (one) => !isGone(one) && (one.place === 'slipway' || !isActive(one, watcherOf(one.instanceId), now)),
  )
  return waiting.length + watchers.reduce((sum, watcher) => sum + removedFrom(watcher, guards).length, 0)
}

function removedFrom({ watched }: WatcherView, guards: readonly Guard[]): WatcherView['watched'] {
  return watched.filter(({ id }) => !guards.some((guard) => guard.id === id))
}
