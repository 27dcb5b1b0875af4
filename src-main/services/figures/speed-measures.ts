import { Readable } from 'node:stream'
import type { Clock } from '../../domain/base/clock.ts'
import { speedLimits, type SpeedOutcome } from '../../domain/figures/speed-test.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import type { ConnectionLease } from '../ssh/connection/connections.ts'
import { execute, type ExecuteOptions } from '../ssh/connection/execute.ts'
import { createDeadline } from '../ssh/deadline.ts'
import { MachineFailed } from './machine-failed.ts'
import { DiskOutput, lineReader, measuredBetween } from './speed-output.ts'

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
  const { clock, onBytes } = options
  let first: { readonly bytes: number; readonly at: number } | null = null
  let last = { bytes: 0, at: 0 }
  // Of one that sends more than it was asked for, the rest counts for nothing.
  const onOut = (bytes: Uint8Array, stop: () => void): void => {
    if (last.bytes >= networkBytes) return stop()
    last = { bytes: last.bytes + bytes.length, at: clock.now() }
    first ??= last
    onBytes(last.bytes)
  }
  // Connections don't compress: zeros are as good as anything.
  const command = `exec dd if=/dev/zero bs=${blockBytes} count=${blocks}`
  await runFor(seconds * 1000, options, { command, onOut, unpacedBytes: networkBytes })
  return measuredBetween(first, last)
}

/** Takes what comes, and says how much of it was taken: what is on its way doesn't count. Every dd counts its bytes. */
const receiver = `while :; do
  got=$(LC_ALL=C dd bs=65536 count=16 of=/dev/null 2>&1 | sed -n 's/^\\([0-9]*\\) bytes.*/\\1/p')
  [ "\${got:-0}" -gt 0 ] || exit 0
  echo "$got"
done`

/** How fast bytes get from here to the instance. Throws as `measureDisk`. */
export async function measureUp(options: SpeedMeasureOptions): Promise<SpeedOutcome> {
  const { clock, onBytes } = options
  let first: { readonly bytes: number; readonly at: number } | null = null
  let last = { bytes: 0, at: 0 }
  const onOut = lineReader((line) => {
    const got = /^\d{1,8}$/.test(line) ? Number(line) : 0
    if (last.bytes + got > networkBytes) return
    last = { bytes: last.bytes + got, at: clock.now() }
    first ??= last
    onBytes(last.bytes)
  })
  const input = Readable.from(zeros(), { objectMode: false })
  await runFor(seconds * 1000, options, { command: receiver, input, onOut })
  return measuredBetween(first, last)
}

function* zeros(): Generator<Buffer, void, void> {
  const block = Buffer.alloc(blockBytes)
  for (let sent = 0; sent < blocks; sent += 1) yield block
}

/** Runs a command until it ends or its time is over. */
async function runFor(
  ms: number,
  { lease, clock, randomId, signal }: SpeedMeasureOptions,
  {
    onOut,
    ...what
  }: Pick<ExecuteOptions, 'command' | 'input' | 'unpacedBytes'> & {
    readonly onOut: (bytes: Uint8Array, stop: () => void) => void
  },
): Promise<void> {
  const over = new AbortController()
  const stop = (): void => over.abort(new MachineFailed({ kind: 'nothing-said' }))
  const deadline = createDeadline(clock, ms, stop)
  deadline.start()
  try {
    const { code } = await execute({
      ...{
        client: lease.client,
        clock,
        id: randomId(),
        signal: AbortSignal.any([signal, over.signal]),
        ...what,
      },
      onOutput: (stream, bytes) => {
        if (stream === 'out' && !over.signal.aborted) onOut(bytes, stop)
      },
    })
    signal.throwIfAborted()
    if (code === null && (await connectionLoss(lease, clock)) !== null)
      throw new MachineFailed({ kind: 'link-lost' })
  } finally {
    deadline.stop()
  }
}
