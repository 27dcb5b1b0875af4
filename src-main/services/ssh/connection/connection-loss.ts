import type { Clock } from '../../../domain/base/clock.ts'
import type { SshProblem } from '../../../domain/ssh/ssh.ts'

/** A link that is lost may be told a moment after its channels have ended. */
const isToldWithinMs = 500

/** Why the link was lost over which a channel has just ended; `null` when it stands, and only the channel has ended. */
export function connectionLoss(
  { ended }: { readonly ended: Promise<SshProblem> },
  clock: Clock,
): Promise<SshProblem | null> {
  return Promise.race([ended, clock.sleep(isToldWithinMs).then(() => null)])
}
