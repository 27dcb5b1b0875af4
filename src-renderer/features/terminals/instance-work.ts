import type { Forward } from '#domain/forwards/forward.ts'
import { counted } from '#domain/base/plural.ts'
import { isOver, type Transfer } from '#domain/files/transfer.ts'
import { formatNumber } from '#ui/format.ts'

/** A line about something that goes on beside a shell. */
export interface WorkText {
  readonly label: string
  readonly meaning: string
  readonly isTrouble: boolean
}

/** The forwards of an instance that are on, or should be; `null` when none is. */
export function forwardsText(forwards: readonly Forward[]): WorkText | null {
  const wanted = forwards.filter(({ state }) => state.kind !== 'stopped')
  if (wanted.length === 0) return null
  const broken = wanted.filter(({ state }) => state.kind === 'failed').length
  const all = counted(wanted.length, 'port forward')
  return {
    label: broken === 0 ? all : `${all}, ${broken === wanted.length ? '' : `${formatNumber(broken)} `}failed`,
    meaning: 'Show port forwards',
    isTrouble: broken > 0,
  }
}

/** The files of an instance that are on their way, as one; `null` when nothing is. */
export function transfersText(transfers: readonly Transfer[]): WorkText | null {
  const going = transfers.filter(({ phase }) => !isOver(phase))
  if (going.length === 0) return null
  if (going.some(({ phase }) => phase.kind === 'asking'))
    return {
      label: 'Transfer: needs your answer',
      meaning: 'Files already exist. Show transfers',
      isTrouble: true,
    }
  const sum = (count: (transfer: Transfer) => number): number =>
    going.reduce((total, transfer) => total + count(transfer), 0)
  const bytes = sum(({ progress }) => progress.bytes)
  const what = going.length === 1 ? 'Transfer' : counted(going.length, 'transfer')
  const done = Math.floor((100 * sum(({ progress }) => progress.bytesDone)) / bytes)
  return {
    label: bytes > 0 ? `${what}: ${Math.min(100, done)}%` : what,
    meaning: 'Show transfers',
    isTrouble: false,
  }
}
