import { counted, plural } from '../base/plural.ts'

/** What Slipway sees to for the account, and cannot while it is closed. */
export interface PendingWork {
  /** Guards that have not acted yet. */
  readonly guards: number
  /** Machines are being tried until one runs. */
  readonly isTrying: boolean
}

/** What is asked before the window closes; `null` when nothing is left undone. */
export function closeQuestion({ guards, isTrying }: PendingWork): {
  readonly message: string
  readonly detail: string
} | null {
  const parts = [
    ...(guards > 0 ? [guardsText(guards)] : []),
    ...(isTrying
      ? [
          'While Slipway is closed, auto-retry pauses. You’re still charged for what it rented, running or not. ' +
            'Auto-retry continues when Slipway next starts.',
        ]
      : []),
  ]
  return parts.length === 0 ? null : { message: 'Close Slipway?', detail: parts.join('\n\n') }
}

function guardsText(guards: number): string {
  return (
    `While Slipway is closed, ${counted(guards, 'auto-stop rule')} ${plural(guards, 'doesn’t', 'don’t')} run and you’re still charged. ` +
    'Missed rules run when Slipway next starts.'
  )
}
