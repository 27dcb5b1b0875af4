import type { ActionKind } from './instance.ts'

/** An action in the forms that sentences and labels need. */
interface ActionWords {
  readonly verb: string
  readonly does: string
  readonly done: string
  /** How the instance is then. */
  readonly state: string
  /** What becomes of the bill, in a sentence. */
  readonly charges: string
}

export const actionWords: Readonly<Record<ActionKind, ActionWords>> = {
  stop: {
    verb: 'Stop',
    does: 'stops',
    done: 'stopped',
    state: 'stopped',
    charges: 'You’re still charged for its disk.',
  },
  destroy: {
    verb: 'Destroy',
    does: 'destroys',
    done: 'destroyed',
    state: 'gone',
    charges: 'You’re no longer charged for it.',
  },
}
