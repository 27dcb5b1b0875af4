import type { Clock } from '../../../domain/base/clock.ts'
import type { ConnectionLease } from '../connection/connections.ts'
import { execute } from '../connection/execute.ts'
import { SshFailure } from '../failure.ts'

/** A line for the user's login shell, and what the command reads. */
export interface ScriptExecution {
  readonly command: string
  readonly input?: string
}

export interface AskScriptOptions {
  readonly lease: Pick<ConnectionLease, 'client'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly signal: AbortSignal
}

/** More than any answer: what comes after it is a stranger's. */
const longestAnswer = 64 * 1024
/** A script asks the service once before it answers, and gives up on that after some 20 s. */
const answerWithinMs = 60_000

/**
 * Asks a script on an instance, over one channel and without SFTP.
 *
 * @returns the last line it wrote; empty when it wrote none
 * @throws SshFailure channel-refused; link-lost, timeout when no answer came; or the signal's reason before the command
 *   has begun
 */
export async function askScript(
  execution: ScriptExecution,
  { lease, clock, randomId, signal }: AskScriptOptions,
): Promise<string> {
  const over = new AbortController()
  const whole = AbortSignal.any([signal, over.signal])
  const decoder = new TextDecoder()
  let text = ''
  void clock.sleep(answerWithinMs, whole).then(
    () => over.abort(new SshFailure({ kind: 'timeout' })),
    () => undefined, // it has answered
  )
  try {
    const { code } = await execute({
      client: lease.client,
      ...execution,
      ...{ id: randomId(), clock, signal: whole },
      onOutput: (stream, bytes) => {
        if (stream === 'out' && text.length < longestAnswer) text += decoder.decode(bytes, { stream: true })
      },
    })
    whole.throwIfAborted()
    // A link that was cut says nothing of the script.
    if (code === null && text === '') throw new SshFailure({ kind: 'link-lost', detail: { code: 'closed' } })
  } finally {
    over.abort()
  }
  return text.trimEnd().split('\n').at(-1) ?? ''
}
