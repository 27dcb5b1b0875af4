import { ProblemError } from '../../domain/base/problem.ts'
import { outlookOf } from '../../domain/instances/instance-status.ts'
import type { ActionKind } from '../../domain/instances/instance.ts'
import type { JobOutcome } from '../../domain/jobs/job.ts'
import { hasTakenEffect } from '../instances/action-effect.ts'
import { againByKey } from '../instances/again-by-key.ts'
import { InstancePresence } from '../instances/instance-presence.ts'
import { ResendSchedule } from '../instances/resend-schedule.ts'
import { ticks } from '../instances/ticks.ts'
import { endOf, instanceOf, type JobRecord } from './job-record.ts'
import { isOther } from './ready-instance.ts'
import type { StepContext } from './step-context.ts'

const tickMs = 5_000
/** For what the instance has of the job to be removed there: it harms nobody if it stays. */
const forgetMs = 10_000

const doneWords = { stop: 'stopped', destroy: 'destroyed' } as const

/**
 * Does with the instance what was asked for. All that is to come back is here and compared by now, or the user does
 * without: it's in the journal that brought the job here.
 *
 * @throws what is in the way
 */
export async function endInstance(context: StepContext, signal: AbortSignal): Promise<void> {
  const action = endOf(context.record())
  if (action === 'keep') {
    await (isLeftBehind(context.record()) ? passRuleOn(context) : disarm(context))
    await forgetThere(context, signal)
    return context.end(outcomeOf(context, 'kept'))
  }
  const outcome = await act(context, action, signal)
  if (outcome !== null) await context.end(outcome)
}

/** Kept although the user hasn't asked for it: nobody but the rule may know that it waits for someone. */
function isLeftBehind({ canceling, exit }: JobRecord): boolean {
  return canceling === null && exit?.kind === 'lost'
}

type RuleContext = Pick<StepContext, 'record' | 'others' | 'rules' | 'log'>

/** Removes the job's rule. A job that still uses the instance, and is to have a rule, gets it instead. */
async function disarm({ record, others, rules, log }: RuleContext): Promise<void> {
  const { id } = record()
  try {
    await rules.disarm(id, heirOf(others())?.id ?? null)
  } catch (error) {
    log.error(`The auto-stop rule of job ${id} couldn't be removed`, error)
  }
}

/** Leaves the job's rule to a job that still uses the instance, and is to have one; else the rule stays. */
export async function passRuleOn(context: RuleContext): Promise<void> {
  if (heirOf(context.others()) !== undefined) await disarm(context)
}

function heirOf(others: readonly JobRecord[]): JobRecord | undefined {
  return others.find(
    ({ definition, step }) =>
      definition.stopAfterMinutes !== null && step !== 'instance' && step !== 'upload',
  )
}

function outcomeOf(
  { record }: Pick<StepContext, 'record'>,
  instance: 'kept' | 'stopped' | 'destroyed',
): JobOutcome {
  return { kind: record().canceling === null ? 'finished' : 'canceled', instance }
}

/**
 * Asks until the list shows the effect, once no other job uses the instance; never anything of another instance under the
 * id.
 *
 * @returns `null` when the user wants something else by now
 */
async function act(
  context: StepContext,
  action: ActionKind,
  signal: AbortSignal,
): Promise<JobOutcome | null> {
  const { record, write, others, watch, actions, clock, showTrouble } = context
  const wanted = instanceOf(record())
  if (wanted === null) throw new Error('The job has no instance')
  const gone = (): JobOutcome =>
    record().asked === 'destroy' ? outcomeOf(context, 'destroyed') : { kind: 'instance-gone' }
  const presence = new InstancePresence(wanted.id, 0)
  const schedule = new ResendSchedule()
  let isShared = false
  let isAccepted = false
  for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) {
    presence.look(watch.snapshot.value)
    if (presence.isGone) return gone()
    const listed = presence.instance
    if (listed === undefined) continue
    if (isOther(wanted, listed)) return gone()
    const isStopped = action === 'stop' && outlookOf(listed).kind === 'stopped'
    // That its host is silent means nothing before the service was asked.
    if (isStopped || (isAccepted && hasTakenEffect(action, listed))) {
      await disarm(context)
      return outcomeOf(context, doneWords[action])
    }
    const [other] = others()
    if (other !== undefined) {
      isShared = true
      showTrouble({ isRetrying: true, reason: { kind: 'other-job', name: other.definition.name } })
      continue
    }
    if (isShared) showTrouble(null)
    isShared = false
    if (!schedule.isDue(action, listed, clock.now())) continue
    if (record().asked === null) {
      await disarm(context)
      await write({ kind: 'asking', action })
      if (record().asked !== action) return null
      // One may have been begun meanwhile.
      if (others().length > 0) continue
    }
    schedule.sent(clock.now())
    try {
      await againByKey(() => actions[action](wanted.id))
      isAccepted = true
      showTrouble(null)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      showTrouble({ isRetrying: true, reason: { kind: 'problem', problem: error.problem } })
    }
  }
  throw signal.reason
}

async function forgetThere({ record, jobsOn, clock, log }: StepContext, signal: AbortSignal): Promise<void> {
  const { id, instance, startedAt } = record()
  if (instance === null || startedAt === null) return
  const enough = new AbortController()
  const tooLong = clock.sleep(forgetMs, AbortSignal.any([signal, enough.signal]))
  try {
    const forgetting = jobsOn(instance.id).forget(id, AbortSignal.any([signal, enough.signal]))
    await Promise.race([forgetting, tooLong])
  } catch (error) {
    signal.throwIfAborted()
    log.warn(`What instance ${instance.id} has of job ${id} stays there: ${String(error)}`)
  } finally {
    enough.abort(new Error('enough'))
    tooLong.catch(() => undefined) // over
  }
}
