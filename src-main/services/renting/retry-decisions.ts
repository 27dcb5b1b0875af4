import type { RetryPhase, RetryPlan, RetryStep } from '../../domain/renting/retry.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import { isStopped } from '../../domain/money/money.ts'
import type { InstancePresence } from '../instances/instance-presence.ts'

/** A rented machine that no list has had for so long is not there. */
const appearsWithinMs = 60_000

/** What is to be done about a machine that should come to run; `null` to wait. */
export function bootingDecision(
  { instanceId }: Extract<RetryPhase, { kind: 'booting' }>,
  {
    instancePresence,
    waitedMs,
    listIsNew,
    plan,
    stopping,
  }: {
    readonly instancePresence: InstancePresence
    /** Since it was rented. */
    readonly waitedMs: number
    /** The list was asked for after the time was up. */
    readonly listIsNew: (afterMs: number) => boolean
    readonly plan: RetryPlan
    readonly stopping: 'keep' | 'destroy' | null
  },
): RetryStep | null {
  const { instance } = instancePresence
  if (instance?.status === 'running' && !isStopped(instance))
    return { kind: 'ended', outcome: { kind: 'running', instanceId } }
  if (stopping === 'destroy') return { kind: 'failing', instanceId, why: 'stopped' }
  if (stopping === 'keep') return { kind: 'ended', outcome: { kind: 'stopped', instanceId } }
  if (instance === undefined) {
    const isMissing = instancePresence.isGone && (instancePresence.missingMs ?? 0) >= appearsWithinMs
    return isMissing ? { kind: 'ended', outcome: { kind: 'vanished', instanceId } } : null
  }
  // Somebody has asked for something, here or elsewhere: what they want counts.
  if (instance.pending !== null || isStopped(instance))
    return { kind: 'ended', outcome: { kind: 'taken-over', instanceId } }
  const outlook = outlookOf(instance.status)
  if (outlook.kind === 'dead-end') return { kind: 'failing', instanceId, why: outlook.status }
  const limitMs = plan.bootMinutes * 60_000
  // By a list from after the limit: while nobody could ask, it may have come to run.
  return waitedMs >= limitMs && listIsNew(limitMs) ? { kind: 'failing', instanceId, why: 'late' } : null
}

/** What is to be done about a machine that is to be destroyed. */
export function removingDecision(
  { instanceId, why, isAsked }: Extract<RetryPhase, { kind: 'removing' }>,
  {
    instancePresence,
    isSendDue,
  }: { readonly instancePresence: InstancePresence; readonly isSendDue: boolean },
): RetryStep | 'wait' | 'look-again' {
  const { instance } = instancePresence
  if (!isAsked) {
    // It came to run between the judgment and the deed, as after a crash.
    if (why === 'late' && instance?.status === 'running')
      return { kind: 'ended', outcome: { kind: 'running', instanceId } }
    return { kind: 'destroying', instanceId }
  }
  if (instancePresence.isGone) return { kind: 'gone', instanceId }
  if (instance === undefined) return 'look-again'
  return isSendDue ? { kind: 'destroying', instanceId } : 'wait'
}
