import { counted, plural } from '../base/plural.ts'

/** What Slipway sees to for the account, and cannot while it is closed. */
export interface PendingWork {
  /** Guards that have not acted yet. */
  readonly guards: number
  /** Machines are being tried until one runs. */
  readonly isTrying: boolean
  /** Saved searches of which Slipway rents automatically. */
  readonly autoRents: number
  /** Jobs that haven't ended. */
  readonly jobs: number
}

/** What may become of a window that is to close over pending work. */
export type CloseAnswer = 'stay' | 'hide' | 'close'

export interface CloseQuestion {
  readonly message: string
  readonly detail: string
  /** In this order; the first one leaves everything as it is. */
  readonly answers: readonly { readonly answer: CloseAnswer; readonly label: string }[]
}

/**
 * What is asked before the window closes; `null` when nothing is left undone.
 *
 * @param canHide whether Slipway can go on without its window
 */
export function closeQuestion(
  { guards, isTrying, autoRents, jobs }: PendingWork,
  canHide: boolean,
): CloseQuestion | null {
  const parts = [
    ...(guards > 0 ? [guardsText(guards)] : []),
    ...(isTrying
      ? [
          'While Slipway is closed, auto-retry pauses. You’re still charged for what it rented, running or not. ' +
            'Auto-retry continues when Slipway next starts.',
        ]
      : []),
    ...(autoRents > 0
      ? [
          'While Slipway is closed, auto-rent rents nothing. You’re still charged for what it rented. ' +
            'Auto-rent continues when Slipway next starts.',
        ]
      : []),
    ...(jobs > 0 ? [jobsText(jobs)] : []),
  ]
  if (parts.length === 0) return null
  return {
    message: 'Close Slipway?',
    detail: [...parts, ...(canHide ? [hideText] : [])].join('\n\n'),
    answers: [
      { answer: 'stay', label: 'Keep it open' },
      ...(canHide ? [{ answer: 'hide', label: 'Keep running in tray' } as const] : []),
      { answer: 'close', label: 'Close Slipway' },
    ],
  }
}

const hideText =
  'In the tray, Slipway continues without its window, from now on whenever you close it with rules set, or auto-retry or auto-rent on. ' +
  'To open the window, select the icon or start Slipway again. You can change this in Settings.'

function jobsText(jobs: number): string {
  return (
    `While Slipway is closed, ${counted(jobs, 'job')} ${plural(jobs, 'fetches', 'fetch')} no outputs and ${plural(jobs, 'ends', 'end')} no instance. ` +
    `A command that was started keeps running, and you’re still charged. ${plural(jobs, 'The job continues', 'Jobs continue')} when Slipway next starts.`
  )
}

function guardsText(guards: number): string {
  return (
    `While Slipway is closed, ${counted(guards, 'auto-stop rule')} ${plural(guards, 'doesn’t', 'don’t')} run and you’re still charged. ` +
    'Missed rules run when Slipway next starts.'
  )
}
