import {
  countSteps,
  offerTriedFor,
  replacedIn,
  type ReplacedInstance,
  type RetryPhase,
  type RetryPlan,
  type RetryStep,
  type TimedStep,
} from '../../domain/renting/retry.ts'
import {
  areDifferent,
  identityOf,
  isOtherMachine,
  machineIdOf,
} from '../../domain/instances/instance-identity.ts'
import { ProblemError, rentalRefused } from '../../domain/base/problem.ts'
import { wholeListAt, type InstancesSnapshot, type WatchedInstance } from '../../domain/instances/instance.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import type { InstancePresence } from '../instances/instance-presence.ts'

/** A rented machine that no list has had for so long is not there. */
const appearsWithinMs = 60_000
/** A rental without a reply that no list shows may still turn up; by then it would have. */
export const lateRentalMs = 90_000

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
  // Whoever has said so has done without it, also when it came to run just then.
  if (stopping === 'destroy') return { kind: 'failing', instanceId, why: 'stopped' }
  if (instance !== undefined && outlookOf(instance).kind === 'ready')
    return { kind: 'ended', outcome: { kind: 'running', instanceId } }
  if (stopping === 'keep') return { kind: 'ended', outcome: { kind: 'stopped', instanceId } }
  if (instance === undefined) {
    const isMissing = instancePresence.isGone && (instancePresence.missingMs ?? 0) >= appearsWithinMs
    return isMissing ? { kind: 'ended', outcome: { kind: 'vanished', instanceId } } : null
  }
  const outlook = outlookOf(instance)
  // Somebody has asked for something, here or elsewhere: what they want counts.
  if (instance.pending !== null || outlook.kind === 'stopped')
    return { kind: 'ended', outcome: { kind: 'taken-over', instanceId } }
  if (outlook.kind === 'dead-end') return { kind: 'failing', instanceId, why: outlook.status }
  const limitMs = plan.bootMinutes * 60_000
  // By a list from after the limit: while nobody could ask, it may have come to run.
  return waitedMs >= limitMs && listIsNew(limitMs) ? { kind: 'failing', instanceId, why: 'late' } : null
}

/**
 * What is known of an instance that is to be replaced, by a list that has just been asked for.
 *
 * @throws ProblemError why it isn't replaced: there is no such list, or one by which it could not be told that it's gone,
 *   or it may run
 */
export function replaceableIn(
  { instances, unreadable, problem }: InstancesSnapshot,
  instanceId: number,
): ReplacedInstance {
  if (instances === null || problem !== null) throw new ProblemError(problem ?? { kind: 'no-account' })
  if (unreadable.length > 0) throw rentalRefused({ code: 'list-unreadable' })
  const instance = instances.find(({ id }) => id === instanceId)
  if (instance === undefined) throw rentalRefused({ code: 'not-listed', instanceId })
  const outlook = outlookOf(instance)
  if (outlook.kind !== 'dead-end') throw rentalRefused({ code: 'not-dead', instanceId })
  return { instanceId, identity: identityOf(instance.record), why: outlook.status }
}

/** What is to be done about a machine that is to be destroyed. */
export function removingDecision(
  phase: Extract<RetryPhase, { kind: 'removing' }>,
  { steps, ...seen }: Removal & { readonly steps: readonly TimedStep[] },
): RetryStep | 'wait' | 'look-again' {
  const replaced = replacedIn(steps)
  const replacing =
    replaced?.instanceId === phase.instanceId
      ? replacingDecision(phase, { ...seen, stopping: countSteps(steps).stopping })
      : null
  return replacing ?? destroyingDecision(phase, seen)
}

interface Removal {
  readonly instancePresence: InstancePresence
  readonly isSendDue: boolean
}

/**
 * What the user has said of an instance that never runs holds for no other: `null` to destroy it as any other one. Before
 * it was asked for, its absence proves nothing.
 */
function replacingDecision(
  { instanceId, isAsked }: Extract<RetryPhase, { kind: 'removing' }>,
  {
    instancePresence: { instance, isGone },
    isSendDue,
    stopping,
  }: Removal & { readonly stopping: 'keep' | 'destroy' | null },
): RetryStep | 'look-again' | null {
  const sendsNext = !isAsked || (instance !== undefined && isSendDue)
  if (!sendsNext) return null
  if (instance !== undefined && outlookOf(instance).kind !== 'dead-end')
    return { kind: 'ended', outcome: { kind: 'revived', instanceId } }
  if (isGone) return { kind: 'ended', outcome: { kind: 'taken-over', instanceId } }
  if (stopping !== null) return { kind: 'ended', outcome: { kind: 'stopped', instanceId } }
  return instance === undefined ? 'look-again' : null
}

/** Instances that came after a rental without a reply, of which one may be it; `wait` while it may still turn up. */
export function lateRental(
  steps: readonly TimedStep[],
  snapshot: InstancesSnapshot,
  now: number,
): readonly number[] | 'wait' | null {
  const index = steps.findLastIndex(({ step }) => step.kind === 'not-rented' && step.problem === null)
  const lost = steps.slice(0, index + 1).findLast(({ step }) => step.kind === 'trying')
  if (lost?.step.kind !== 'trying') return null
  const known = new Set([...lost.step.knownIds, ...countSteps(steps).instanceIds])
  // From when the list was asked in vain: the request may have left long after the attempt was written down.
  const since = steps[index]?.at ?? lost.at
  const strangers = (snapshot.instances ?? []).map(({ id }) => id).filter((id) => !known.has(id))
  if (strangers.length > 0) return strangers
  return (wholeListAt(snapshot) ?? 0) - since < lateRentalMs && now >= since ? 'wait' : null
}

/** Whether it is not what this auto-retry has rented or replaces, although it has its id: nothing is done to it. */
export function isForeign(steps: readonly TimedStep[], instance: WatchedInstance | undefined): boolean {
  if (instance === undefined) return false
  const replaced = replacedIn(steps)
  if (replaced?.instanceId === instance.id)
    return areDifferent(replaced.identity, identityOf(instance.record))
  const rented = offerTriedFor(steps, instance.id)
  return isOtherMachine(rented?.machineId ?? null, machineIdOf(instance.record))
}

function destroyingDecision(
  { instanceId, why, isAsked }: Extract<RetryPhase, { kind: 'removing' }>,
  { instancePresence, isSendDue }: Removal,
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
