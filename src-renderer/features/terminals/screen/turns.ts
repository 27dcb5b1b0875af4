/** What the page does between two turns of parsing. */
export interface Turns {
  /** In milliseconds, from any origin. */
  readonly now: () => number
  /** Runs after other waiting events had their turn. */
  readonly soon: (run: () => void) => void
  /** Runs in the page's next frame. */
  readonly frame: (draw: () => void) => void
  /** Runs soon, but after the frame that was asked for, if that is overdue. */
  readonly afterFrame: (run: () => void) => void
  /** Runs after `ms`; the returned function cancels it. */
  readonly later: (ms: number, run: () => void) => () => void
}
