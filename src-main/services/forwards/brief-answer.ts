import type { Client } from 'ssh2'
import type { Clock } from '../../domain/base/clock.ts'
import { execute } from '../ssh/connection/execute.ts'

export interface BriefQuestion {
  readonly client: Client
  /** A line for the user's login shell. */
  readonly command: string
  readonly clock: Clock
  /** Of this question alone, as `execute` takes it. */
  readonly id: string
  /** A longer answer is none. */
  readonly mostBytes: number
}

const patienceMs = 5_000

export interface BriefAnswer {
  /** `null` when it says too much, isn't done within some seconds, or ends with its connection. */
  readonly text: string | null
  /** It didn't end when it was told to: its session is taken until it does. */
  readonly isLeft: boolean
}

/**
 * Asks the instance something small over a channel that is there for that long only.
 *
 * @throws SshFailure channel-refused
 */
export async function briefAnswer({
  client,
  command,
  clock,
  id,
  mostBytes,
}: BriefQuestion): Promise<BriefAnswer> {
  const enough = new AbortController()
  const patience = new AbortController()
  const give = (): void => enough.abort(new Error('the machine was asked long enough'))
  clock.sleep(patienceMs, patience.signal).then(give, () => undefined) // it has answered in time
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    const { code, isLeft } = await execute({
      ...{ client, command, clock, id },
      signal: enough.signal,
      onOutput: (stream, piece) => {
        bytes += piece.length
        if (bytes > mostBytes) give()
        else if (stream === 'out') pieces.push(piece)
      },
    })
    const isWhole = code !== null && !enough.signal.aborted
    return { text: isWhole ? Buffer.concat(pieces).toString('utf8') : null, isLeft }
  } catch (error) {
    if (enough.signal.aborted) return { text: null, isLeft: false }
    throw error
  } finally {
    patience.abort()
  }
}
