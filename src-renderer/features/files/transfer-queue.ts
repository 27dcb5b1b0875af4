import { counted } from '#domain/base/plural.ts'
import { isOver, isQueued, queueOf, type Transfer } from '#domain/files/transfer.ts'
import { formatBytes, formatNumber, formatSeconds } from '#ui/format.ts'

/** In the order in which they're looked for: what goes on, the queue with the next one first, then the latest end first. */
export function arranged(transfers: readonly Transfer[]): readonly Transfer[] {
  return [
    ...transfers.filter(({ phase }) => !isOver(phase) && !isQueued(phase)),
    ...transfers.filter(({ phase }) => isQueued(phase)),
    ...transfers.filter(({ phase }) => isOver(phase)).toReversed(),
  ]
}

/** Which ways one can go in its queue. */
export function movesOf(transfer: Transfer, transfers: readonly Transfer[]) {
  const queue = queueOf(transfer, transfers)
  const at = queue.indexOf(transfer)
  return { earlier: at > 0, later: at !== -1 && at < queue.length - 1 }
}

/**
 * `2 transfers · 1.2 GB of 4 GB · 85 MB/s · 33 s left · 3 queued`; empty when none goes on or waits. What's left is of those
 * that go on: how much a queued one has isn't known before its turn.
 */
export function queueText(transfers: readonly Transfer[]): string {
  const active = transfers.filter(({ phase }) => !isOver(phase) && !isQueued(phase))
  const queued = transfers.filter(({ phase }) => isQueued(phase)).length
  const sum = (count: (progress: Transfer['progress']) => number): number =>
    active.reduce((total, { progress }) => total + count(progress), 0)
  const bytes = sum((progress) => progress.bytes)
  const bytesDone = sum((progress) => progress.bytesDone)
  const speed = sum((progress) => progress.bytesPerSecond ?? 0)
  const parts = [
    active.length === 0 ? '' : counted(active.length, 'transfer'),
    bytes === 0 ? '' : `${formatBytes(bytesDone)} of ${formatBytes(bytes)}`,
    speed === 0 ? '' : `${formatBytes(speed)}/s`,
    speed === 0 ? '' : `${formatSeconds((bytes - bytesDone) / speed)} left`,
    queued === 0 ? '' : `${formatNumber(queued)} queued`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
