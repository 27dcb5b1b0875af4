import type { RentalNotice, WatchedInstance } from '../../domain/instances/instance.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import type { Problem } from '../../domain/base/problem.ts'

/** The service advises 10 s (service API 4.4); nobody waits for anything in a list that is at rest. */
const changingMs = 10_000
const restingMs = 30_000
const longestMs = 5 * 60_000

export interface Watched {
  readonly instances: readonly WatchedInstance[]
  readonly notices: readonly RentalNotice[]
  /** The failure of the last poll, and how many have failed in a row. */
  readonly problem: Problem | null
  readonly failures: number
}

/**
 * How long to wait before the list is asked for again, in ms. Failures double it, with jitter so that many
 * clients do not come back together; it is never shorter than what the service asked for.
 *
 * @param chance 0 to below 1
 */
export function pollIntervalMs({ instances, notices, problem, failures }: Watched, chance: number): number {
  const calm = isChanging(instances, notices) ? changingMs : restingMs
  if (problem === null) return calm
  const backedOff = Math.min(calm * 2 ** (failures - 1), longestMs) * (1 + chance / 4)
  const asked = problem.kind === 'rate-limited' ? (problem.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(backedOff, asked)
}

function isChanging(instances: readonly WatchedInstance[], notices: readonly RentalNotice[]): boolean {
  return (
    instances.some(({ status, pending }) => pending !== null || outlookOf(status).kind === 'booting') ||
    notices.some(({ outcome }) => outcome.kind === 'checking')
  )
}
