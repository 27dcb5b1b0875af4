import {
  areDifferent,
  completed,
  identityOf,
  unknownIdentity,
} from '../../domain/instances/instance-identity.ts'
import type { InstanceIdentity } from '../../domain/instances/instance-identity.ts'
import type { JobPlace } from '../../domain/jobs/job.ts'
import { computePerHourUsd } from '../../domain/money/money.ts'
import { rentOptions } from '../../domain/renting/rent-request.ts'
import { offerTriedFor, phaseOf, type RetryOutcome, type TimedStep } from '../../domain/renting/retry.ts'
import type { JobRecord } from './job-record.ts'
import { readyInstance } from './ready-instance.ts'
import type { StepContext } from './step-context.ts'

/** Waits for the instance, or has one rented, once. @throws what is in the way */
export function takeInstance(context: StepContext, signal: AbortSignal): Promise<void> {
  const { place } = context.record()
  return place.kind === 'instance' ? awaitInstance(context, signal) : rentInstance(context, place, signal)
}

async function awaitInstance(context: StepContext, signal: AbortSignal): Promise<void> {
  const { record, write, end } = context
  const { place, canceling, instance } = record()
  if (place.kind !== 'instance') return
  const { id, identity } = instance ?? { id: place.instanceId, identity: unknownIdentity }
  // Nothing was done on it yet, and what is to be done with it is.
  if (canceling !== null)
    return canceling === 'keep'
      ? end({ kind: 'canceled', instance: 'kept' })
      : write({ kind: 'end', outputs: null })
  const listed = await readyInstance(context, { id, identity }, signal)
  if (listed === null) return end({ kind: 'instance-gone' })
  await write({
    kind: 'upload',
    instance: {
      id,
      identity: completed(identity, identityOf(listed.record)),
      since: context.clock.now(),
      perHourUsd: computePerHourUsd(listed.record),
    },
  })
}

/**
 * The id of its auto-retry is on the disk before that begins, so that a restart finds it: whether it was begun, its own
 * journal tells.
 */
async function rentInstance(
  context: StepContext,
  place: Extract<JobRecord['place'], { readonly kind: 'rent' }>,
  signal: AbortSignal,
): Promise<void> {
  const { record, write, retries } = context
  const { retry } = record()
  const view = retry && retries.state.value.find(({ id }) => id === retry.id)
  const outcome = retry && retries.outcomeOf(retry.id)
  if (retry === null || (view === undefined && outcome === null)) return beginRetry(context, place, signal)
  if (!retry.isBegun) await write({ kind: 'retrying' })
  if (outcome !== null) return settle(context, outcome, view?.steps ?? [])
  const { canceling } = record()
  if (canceling !== null) await retries.stop(retry.id, canceling === 'keep' ? 'keep' : 'destroy')
  for await (const all of retries.state.watch(signal)) {
    const now = all.find(({ id }) => id === retry.id)
    if (now === undefined || phaseOf(now.steps).kind === 'ended') return
    const last = now.steps.at(-1)?.step
    context.showTrouble(
      last?.kind === 'trouble'
        ? { isRetrying: true, reason: { kind: 'problem', problem: last.problem } }
        : null,
    )
  }
  throw signal.reason
}

async function beginRetry(
  { record, write, end, retries, unseal, randomId, clock, log }: StepContext,
  {
    query,
    plan,
  }: Extract<JobPlace, { readonly kind: 'rent' }> | Extract<JobRecord['place'], { readonly kind: 'rent' }>,
  signal: AbortSignal,
): Promise<void> {
  const { id, retry, canceling, begunAt, sealedOptions } = record()
  if (canceling !== null) return end({ kind: 'canceled', instance: 'none' })
  if (retry?.isBegun === true) {
    // What it came to can't be told any more, so nothing is rented in its place.
    log.warn(`The auto-retry of job ${id} isn't known any more`)
    return end({ kind: 'given-up', step: 'instance' })
  }
  if (clock.now() - begunAt > plan.giveUpAfterMinutes * 60_000) return end({ kind: 'not-rented' })
  const text = sealedOptions === null ? null : await unseal(sealedOptions)
  if (text === null) {
    log.warn(`What job ${id} was to rent can't be unsealed any more`)
    return end({ kind: 'not-rented' })
  }
  const retryId = retry?.id ?? randomId()
  if (retry === null) await write({ kind: 'renting', retryId })
  // Once it was given up, nothing is rented for it.
  if (record().outcome !== null) return
  await retries.beginCheapest({
    ...{ id: retryId, options: rentOptions.parse(JSON.parse(text)), query, plan },
    signal,
  })
  if (record().outcome !== null) return retries.stop(retryId, 'destroy')
  await write({ kind: 'retrying' })
}

async function settle(
  context: StepContext,
  outcome: RetryOutcome,
  steps: readonly TimedStep[],
): Promise<void> {
  const { record, write, end, watch, clock } = context
  switch (outcome.kind) {
    case 'running': {
      const id = outcome.instanceId
      const listed = watch.find(id)
      const rented = steps.findLast(({ step }) => step.kind === 'rented' && step.instanceId === id)
      await write({
        kind: 'upload',
        instance: {
          id,
          identity: identityFrom(
            offerTriedFor(steps, id)?.machineId ?? null,
            listed && identityOf(listed.record),
          ),
          since: rented?.at ?? clock.now(),
          perHourUsd: listed === undefined ? null : computePerHourUsd(listed.record),
        },
      })
      return
    }
    case 'stopped':
      if (outcome.instanceId !== null) return end({ kind: 'canceled', instance: 'kept' })
      return end(
        record().canceling === null ? { kind: 'not-rented' } : { kind: 'canceled', instance: 'none' },
      )
    case 'exhausted':
    case 'no-offers':
    case 'out-of-time':
    case 'request-lost':
    case 'refused':
      return end({ kind: 'not-rented' })
    case 'taken-over':
    case 'other-machine':
    case 'vanished':
      return end({ kind: 'instance-gone' })
    case 'ambiguous':
    case 'revived':
    case 'kept':
      // Something may be charged, and only the user can tell what.
      return end({ kind: 'given-up', step: 'instance' })
  }
}

/** By what was rented, and what the list has under that id, as far as it's the same machine. */
function identityFrom(machineId: number | null, listed: InstanceIdentity | undefined): InstanceIdentity {
  const rented = { machineId, startedAt: null }
  return listed === undefined || areDifferent(rented, listed) ? rented : completed(rented, listed)
}
