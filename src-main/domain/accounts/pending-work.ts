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
          'Slipway is trying machines until one runs. What is rented stays rented and is charged, running or not. ' +
            'Slipway goes on at its next start.',
        ]
      : []),
  ]
  return parts.length === 0 ? null : { message: 'Close Slipway?', detail: parts.join('\n\n') }
}

function guardsText(guards: number): string {
  return (
    `${counted(guards, 'guard')} ${plural(guards, 'does', 'do')} nothing while Slipway is closed: the machines run on and are charged. ` +
    'What falls due meanwhile is done at the next start.'
  )
}
