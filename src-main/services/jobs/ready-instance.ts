import { areDifferent, identityOf } from '../../domain/instances/instance-identity.ts'
import { outlookOf, typicalBootMs } from '../../domain/instances/instance-status.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import type { JobTrouble } from '../../domain/jobs/job.ts'
import { InstancePresence } from '../instances/instance-presence.ts'
import { ticks } from '../instances/ticks.ts'
import type { JobInstance } from './job-journal.ts'
import type { StepContext } from './step-context.ts'

const tickMs = 5_000

/** Whether what is listed under the id certainly is another one than the job's. */
export function isOther({ identity }: Pick<JobInstance, 'identity'>, listed: WatchedInstance): boolean {
  return areDifferent(identity, identityOf(listed.record))
}

/**
 * Waits until the job's instance runs. It isn't started: while it's stopped, or takes too long to start, that is told.
 *
 * @returns `null` when it's gone for good, or another one has its id
 * @throws the signal's reason
 */
export async function readyInstance(
  { watch, clock, showTrouble }: Pick<StepContext, 'watch' | 'clock' | 'showTrouble'>,
  wanted: Pick<JobInstance, 'id' | 'identity'>,
  signal: AbortSignal,
): Promise<WatchedInstance | null> {
  const presence = new InstancePresence(wanted.id, 0)
  let startingSince: number | null = null
  for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) {
    const snapshot = watch.snapshot.value
    presence.look(snapshot)
    if (presence.isGone) return null
    const listed = snapshot.instances?.find(({ id }) => id === wanted.id)
    if (listed === undefined) {
      const { problem } = snapshot
      showTrouble(problem === null ? null : { isRetrying: true, reason: { kind: 'problem', problem } })
      continue
    }
    if (isOther(wanted, listed)) return null
    const isStarting = outlookOf(listed).kind === 'booting'
    startingSince = isStarting ? (startingSince ?? clock.now()) : null
    const isLate = startingSince !== null && clock.now() - startingSince >= typicalBootMs.to
    const trouble = isLate ? stillStarting : whyNotRunning(listed)
    showTrouble(trouble)
    if (trouble === null && !isStarting) return listed
  }
  throw signal.reason
}

const stillStarting: JobTrouble = { isRetrying: true, reason: { kind: 'still-starting' } }

function whyNotRunning(listed: WatchedInstance): JobTrouble | null {
  const outlook = outlookOf(listed)
  if (outlook.kind !== 'stopped' && outlook.kind !== 'dead-end') return null
  const status = outlook.kind === 'stopped' ? 'stopped' : outlook.status
  return { isRetrying: false, reason: { kind: 'not-running', status } }
}
