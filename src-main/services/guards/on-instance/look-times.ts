import type { WatchedGuard } from '../../../domain/guards/watcher.ts'
import { startedAtMs } from '../../../domain/instances/instance-identity.ts'
import type { WatchedInstance } from '../../../domain/instances/instance.ts'
import type { SshProblem } from '../../../domain/ssh/ssh.ts'
import { ConnectFailed } from '../../ssh/connection/connect-failure.ts'

/** Between two looks: short where a connection stands anyway, and while an instance acts. */
const everyMs = { connected: 60_000, alone: 5 * 60_000 } as const
/** After a look that failed and may do better the next time; each one doubles it, up to `everyMs.alone`. */
const firstRetryMs = 15_000
/** An instance is asked so long before it acts: afterwards it can't say any more that it was its own doing. */
const beforeDueMs = 45_000
/** The start script of a new instance may put the key in only then. */
const newForMs = 15 * 60_000

/** How long not to ask an instance, in ms. */
export function pauseAfter(
  look: { readonly failures: number } | { readonly isOpen: boolean; readonly rules: readonly WatchedGuard[] },
): number {
  if ('failures' in look) return Math.min(firstRetryMs * 2 ** look.failures, everyMs.alone)
  const isActing = look.rules.some(({ phase }) => phase === 'acting' || phase === 'done')
  const usualMs = look.isOpen || isActing ? everyMs.connected : everyMs.alone
  const leftMs = look.rules
    .filter(({ phase, busy }) => phase === 'waiting' && busy === null)
    .map(({ leftSeconds }) => leftSeconds * 1000 - beforeDueMs)
  return Math.max(firstRetryMs, Math.min(usualMs, ...leftMs))
}

/** Whether a look is due. One that is farther off than any pause was planned before the clock was set back. */
export function isLookDue(nextAt: number | null, now: number): boolean {
  return nextAt !== null && (nextAt <= now || nextAt > now + everyMs.alone)
}

/** Whether trying again makes sense. @param now ms since the epoch */
export function mayPassSoon(error: unknown, instance: WatchedInstance | undefined, now: number): boolean {
  if (!(error instanceof ConnectFailed) || error.isPassing) return true
  const startedAt = instance === undefined ? null : startedAtMs(instance.record)
  const isNew = startedAt !== null && now - startedAt < newForMs
  return isNew && error.failure.kind === 'failed' && isOfLogin(error.failure.problem)
}

/** The instance took the connection, and none of the keys. */
function isOfLogin(problem: SshProblem): boolean {
  if (problem.kind === 'both-addresses') return problem.tries.some((each) => isOfLogin(each.problem))
  if (problem.kind === 'proxy-command') return isOfLogin(problem.problem)
  return problem.kind === 'authentication-failed'
}
