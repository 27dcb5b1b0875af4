/** What a test asks of the page, whose one terminal is the window's own. */
export interface FloodPage {
  /** Shows it. */
  readonly attach: () => Promise<void>
  /** Writes a text so often, the turn's number in place of each `#`, no faster than it is taken. */
  readonly flood: (text: string, times: number) => Promise<void>
}

declare global {
  interface Window {
    floodPage: FloodPage
  }
}
