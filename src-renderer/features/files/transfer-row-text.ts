import { assertNever } from '#domain/base/assert-never.ts'
import { shownName } from '#domain/files/file-name.ts'
import { counted } from '#domain/base/plural.ts'
import type { Transfer } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatBytes, formatNumber, formatSeconds } from '#ui/format.ts'
import { copiedText, placeName } from '#shared/files/transfer-text.ts'
import { reconnectingMark, waitingMark } from '#shared/ssh/connection-text.ts'
import type { Tone } from '#ui/tone.ts'

/** `model.bin`, `model.bin and 3 more`. */
export function transferName({ order: { names } }: Transfer): string {
  const first = shownName(names[0] ?? '')
  return names.length <= 1 ? first : `${first} and ${formatNumber(names.length - 1)} more`
}

/** Where its files go: `to /data`; between two instances also which. */
export function routeText({ order }: Transfer): string {
  const { source, target, to } = order
  if (source.side === 'local' || target.side === 'local') return `to ${shownName(to)}`
  return `from ${placeName(source)} to ${placeName(target)}, ${shownName(to)}`
}

/** The connection that it waits for, of those that it needs. */
export function awaited(connections: readonly ConnectionState[]): ConnectionState {
  return connections.find(({ kind }) => kind !== 'open') ?? connections[0] ?? { kind: 'idle' }
}

/** A transfer's state, in a few words with their tone. */
export function transferMark(
  { phase, skippedCount }: Transfer,
  connection: ConnectionState,
): { readonly tone: Tone; readonly label: string } {
  switch (phase.kind) {
    case 'waiting':
      return { tone: 'neutral', label: 'Waiting' }
    case 'connecting':
      return waitingMark(connection)
    case 'reconnecting':
      return waitingMark(connection, reconnectingMark)
    case 'looking':
      return { tone: 'busy', label: `Scanning: ${counted(phase.files, 'file')}` }
    case 'paused':
      return { tone: 'neutral', label: 'Paused' }
    case 'asking':
      return { tone: 'warning', label: 'Needs an answer' }
    case 'copying':
      return { tone: 'busy', label: 'Copying' }
    case 'done':
      return skippedCount === 0
        ? { tone: 'good', label: 'Done' }
        : { tone: 'warning', label: `Done, ${formatNumber(skippedCount)} skipped` }
    case 'failed':
      return { tone: 'bad', label: 'Failed' }
    case 'cancelled':
      return { tone: 'neutral', label: 'Canceled' }
    default:
      return assertNever(phase)
  }
}

/** `3 of 12 files · 1.2 of 4 GB · 85 MB/s · 33 s left`; without a speed while nothing moves. */
export function progressText({ phase, progress }: Transfer): string {
  const { bytesPerSecond, remainingSeconds } = progress
  const parts = [copiedText(progress)]
  if (phase.kind !== 'copying' || bytesPerSecond === null) return parts.join(' · ')
  if (bytesPerSecond === 0) return [...parts, 'stalled'].join(' · ')
  parts.push(`${formatBytes(bytesPerSecond)}/s`)
  if (remainingSeconds !== null) parts.push(`${formatSeconds(remainingSeconds)} left`)
  return parts.join(' · ')
}
