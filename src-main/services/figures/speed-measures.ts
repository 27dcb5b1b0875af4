import { Readable } from 'node:stream'
import type { Clock } from '../../domain/base/clock.ts'
import { quoteShellWord } from '../../domain/base/shell-words.ts'
import { speedLimits, type SpeedOutcome } from '../../domain/figures/speed-test.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import type { ConnectionLease } from '../ssh/connection/connections.ts'
import { execute, type ExecuteOptions } from '../ssh/connection/execute.ts'
import { createDeadline } from '../ssh/deadline.ts'
import { MachineFailed } from './machine-failed.ts'
import { DiskOutput, lineReader, MovedBytes } from './speed-output.ts'

export interface SpeedMeasureOptions {
  readonly lease: Pick<ConnectionLease, 'client' | 'ended'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly signal: AbortSignal
  /** How many bytes were moved so far. */
  readonly onBytes: (bytes: number) => void
}

const { seconds, diskMebibytes, networkBytes } = speedLimits
/** The last piece of a slow disk may be on its way when the time is over. */
const diskSlackMs = 10_000
/** More than any of its programs complains of. */
const longestComplaint = 64 * 1024
const blockBytes = 64 * 1024
const blocks = Math.floor(networkBytes / blockBytes)

/**
 * How fast data reaches the instance's disk.
 *
 * @param script the text of `resources/machine/disk-speed.sh`
 * @throws MachineFailed link-lost; SshFailure channel-refused; the signal's reason
 */
export async function measureDisk(options: SpeedMeasureOptions, script: string): Promise<SpeedOutcome> {
  const output = new DiskOutput(diskMebibytes * 1024 * 1024)
  const take = lineReader((line) => {
    output.take(line)
    options.onBytes(output.bytes)
  })
  const command = `exec sh -s ${diskMebibytes} ${seconds}`
  await runFor(seconds * 1000 + diskSlackMs, options, { command, input: script, onOut: take })
  return output.outcome()
}

/** How fast the instance's bytes come here, over a channel of the connection. Throws as `measureDisk`. */
export async function measureDown(options: SpeedMeasureOptions): Promise<SpeedOutcome> {
  const moved = new MovedBytes(options)
  // Connections don't compress: zeros are as good as anything.
  const command = `exec dd if=/dev/zero bs=${blockBytes} count=${blocks}`
  const onOut = ({ length }: Uint8Array): void => moved.add(length, networkBytes)
  await runFor(seconds * 1000, options, { command, onOut, unpacedBytes: networkBytes, enough: moved.enough })
  return moved.outcome()
}

/** Takes what comes, and says how much of it was taken: what is on its way doesn't count. Every dd counts its bytes. */
const receiver = `while :; do
  got=$(LC_ALL=C dd bs=65536 count=4 of=/dev/null 2>&1 | sed -n "s/^\\([0-9]*\\) bytes.*/\\1/p")
  [ "\${got:-0}" -gt 0 ] || exit 0
  echo "$got"
done`

/** How fast bytes get from here to the instance. Throws as `measureDisk`. */
export async function measureUp(options: SpeedMeasureOptions): Promise<SpeedOutcome> {
  const moved = new MovedBytes(options)
  let sent = 0
  function* zeros(): Generator<Buffer, void, void> {
    const block = Buffer.alloc(blockBytes)
    for (; sent < blocks * blockBytes; sent += blockBytes) yield block
  }
  // What was never sent can't have arrived: the block that is on its way is counted when the next one is asked for.
  const onOut = lineReader((line) => moved.add(/^\d{1,8}$/.test(line) ? Number(line) : 0, sent + blockBytes))
  const input = Readable.from(zeros(), { objectMode: false })
  const command = `exec sh -c ${quoteShellWord(receiver)}`
  await runFor(seconds * 1000, options, { command, input, onOut, enough: moved.enough })
  return moved.outcome()
}

/** What a canceled command is told by that the instance didn't end: it may go on there. */
export class CommandLeft extends Error {}

/** Runs a command until it ends, or its time is over. @throws CommandLeft, or as `measureDisk` */
async function runFor(
  ms: number,
  { lease, clock, randomId, signal }: SpeedMeasureOptions,
  {
    onOut,
    enough = new AbortController(),
    ...what
  }: Pick<ExecuteOptions, 'command' | 'input' | 'unpacedBytes'> & {
    readonly onOut: (bytes: Uint8Array) => void
    /** Aborted when nothing more is wanted. */
    readonly enough?: AbortController
  },
): Promise<void> {
  const late = new MachineFailed({ kind: 'nothing-said' })
  const deadline = createDeadline(clock, ms, () => enough.abort(late))
  const isOver = AbortSignal.any([signal, enough.signal])
  deadline.start()
  try {
    let complained = 0
    const { code, isLeft } = await execute({
      ...{ client: lease.client, clock, id: randomId(), signal: isOver, ...what },
      onOutput: (stream, bytes) => {
        if (isOver.aborted) return
        if (stream === 'out') onOut(bytes)
        else if ((complained += bytes.length) > longestComplaint) enough.abort()
      },
    })
    if (signal.aborted && isLeft) throw new CommandLeft()
    signal.throwIfAborted()
    if (code === null && (await connectionLoss(lease, clock)) !== null)
      throw new MachineFailed({ kind: 'link-lost' })
  } finally {
    deadline.stop()
  }
}
