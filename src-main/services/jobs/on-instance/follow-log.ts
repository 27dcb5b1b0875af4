import { Readable } from 'node:stream'
import { execute } from '../../ssh/connection/execute.ts'
import { SshFailure } from '../../ssh/failure.ts'
import type { AskScriptOptions } from '../../ssh/scripts/ask-script.ts'
import { executionOf } from './job-script.ts'
import { MarkedOutput } from './marked-output.ts'

export interface FollowOptions extends AskScriptOptions {
  readonly script: string
  readonly jobId: string
  readonly from: number
  /** Nothing more is read before it has resolved. */
  readonly onBytes: (bytes: Uint8Array) => Promise<void>
}

/**
 * Gives a job's log from a byte on, until the script on the instance ends: when the command has ended, or it was ended
 * itself. How the job stands it doesn't say, as the log may say anything.
 *
 * @throws SshFailure channel-refused, link-lost; what `onBytes` throws; or the signal's reason
 */
export async function followLog(options: FollowOptions): Promise<void> {
  const { lease, clock, randomId, signal, script, jobId, from, onBytes } = options
  const mark = randomId()
  const { command, input } = executionOf({ kind: 'follow', jobId, from, mark }, script)
  // It goes on for as long as the channel: the script ends with its input, also where it has nothing to say.
  const open = new Readable({ read: () => undefined })
  open.push(input)
  const output = new MarkedOutput(mark)
  const over = new AbortController()
  const whole = AbortSignal.any([signal, over.signal])
  const { code, signal: endedBy } = await execute({
    client: lease.client,
    ...{ command, input: open, id: randomId(), clock, signal: whole },
    // It's held back by who takes it.
    unpacedBytes: Number.POSITIVE_INFINITY,
    onOutput: async (stream, bytes) => {
      const own = stream === 'out' ? output.take(bytes) : bytes.subarray(0, 0)
      if (own.length === 0 || whole.aborted) return
      await onBytes(own).catch((error: unknown) => over.abort(error))
    },
  })
  whole.throwIfAborted()
  if (code === null && endedBy === null)
    throw new SshFailure({ kind: 'link-lost', detail: { code: 'closed' } })
}
