/** What a test asks of the page, whose one terminal is the window's own. */
export interface FloodPage {
  /** Shows it. */
  readonly attach: () => Promise<void>
  /** Writes a text so often, the turn's number in place of each `#`, no faster than it is taken. */
  readonly flood: (text: string, times: number) => Promise<void>
  /** Opens an xterm.js and has it draw in frames of the test's own. @returns whether that can be done */
  readonly holdFrames: () => boolean
  /** Writes to that, and resolves when it was parsed. */
  readonly writeHeld: (text: string) => Promise<void>
  /** How often it had nothing to show, and asked for a frame that isn't held up. */
  readonly urgent: () => number
  /** Draws it. @returns how many callbacks wanted that */
  readonly drawHeld: () => number
}

declare global {
  interface Window {
    floodPage: FloodPage
  }
}
