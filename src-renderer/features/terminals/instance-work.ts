import type { Forward } from '#domain/forwards/forward.ts'
import { forwardLabel } from '#domain/forwards/forward-name.ts'
import { counted } from '#domain/base/plural.ts'
import { isOver, type Transfer } from '#domain/files/transfer.ts'
import { isWanted } from '#shared/forwards/forward-names.ts'
import { formatNumber } from '#ui/format.ts'

/** A line about something that goes on beside a shell. */
export interface WorkText {
  readonly label: string
  readonly meaning: string
  readonly isTrouble: boolean
}

/** The forwards of an instance that are on, or should be; `null` when none is. */
export function forwardsText(forwards: readonly Forward[]): WorkText | null {
  const wanted = forwards.filter(isWanted)
  const [first] = wanted
  if (first === undefined) return null
  const broken = wanted.filter(({ state }) => state.kind === 'failed').length
  const all = counted(wanted.length, 'port forward')
  const named = wanted.length === 1 ? `${all}: ${forwardLabel(first)}` : all
  return {
    label:
      broken === 0 ? named : `${all}, ${broken === wanted.length ? '' : `${formatNumber(broken)} `}failed`,
    meaning: `Show port forwards: ${wanted.map(forwardLabel).join(', ')}`,
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
  const isPaused = going.every(({ phase }) => phase.kind === 'paused')
  const what = going.length === 1 ? 'Transfer' : counted(going.length, 'transfer')
  const done = Math.floor((100 * sum(({ progress }) => progress.bytesDone)) / bytes)
  return {
    label: isPaused ? `${what}: paused` : bytes > 0 ? `${what}: ${Math.min(100, done)}%` : what,
    meaning: 'Show transfers',
    isTrouble: false,
  }
}
