import { hasLasted } from '../../../domain/ssh/connection-lifecycle.ts'
import {
  isLoss,
  mostLosses,
  openCopySession,
  type CopySession,
  type CopySessionOptions,
} from '../copy-session.ts'
import { knownProblem } from '../failure.ts'
import type { Connect } from '../session.ts'

export interface OverLinkOptions extends CopySessionOptions {
  /** For a link that was lost: waits until there is one again. `null`: it isn't waited for. */
  readonly regain: Connect | null
  readonly onTry: (kind: 'connecting' | 'reconnecting') => void
}

/** For what was asked to be answered once nobody wants it any more: half files are removed meanwhile. */
const leaveMs = 2_000

/**
 * Works with an instance's files, from the beginning again when the link was lost and is back.
 *
 * @throws whatever `work` throws, ConnectFailed, SshFailure, TransferFailure, or the signal's reason
 */
export async function overLink<T>(
  options: OverLinkOptions,
  work: (session: CopySession) => Promise<T>,
): Promise<T> {
  const { connect, regain, clock, signal, onTry } = options
  for (let losses = 0; ; losses += 1) {
    const since = clock.now()
    onTry(losses === 0 ? 'connecting' : 'reconnecting')
    try {
      return await onSession({ ...options, connect: losses === 0 ? connect : (regain ?? connect) }, work)
    } catch (error) {
      signal.throwIfAborted()
      const problem = knownProblem(error)
      if (hasLasted(since, clock.now())) losses = 0
      const isLost = problem !== null && isLoss(problem)
      if (regain === null || !isLost || losses >= mostLosses) throw error
    }
  }
}

async function onSession<T>(
  options: CopySessionOptions,
  work: (session: CopySession) => Promise<T>,
): Promise<T> {
  const { signal, clock } = options
  const session = await openCopySession(options)
  const over = new AbortController()
  const onAbort = (): void => {
    session.leaveApart()
    // Over a dead link nothing would ever be answered.
    clock.sleep(leaveMs, over.signal).then(session.close, () => undefined) // it has come to its end
  }
  signal.addEventListener('abort', onAbort, { once: true, signal: over.signal })
  try {
    return await work(session)
  } catch (error) {
    throw await session.explain(error)
  } finally {
    over.abort()
    session.close()
  }
}
