/** What a terminal's screen tells. */
export interface ScreenEvents {
  readonly input: (data: string) => void
  /** So many bytes were taken by the screen, in all, since the port was opened. */
  readonly taken: (bytes: number) => void
  /** Whichever side closed it. */
  readonly closed: () => void
}

/** The port to a terminal's screen, with messages that were checked. */
export interface TerminalPort {
  /** Begins to listen; what came before is told then. */
  readonly listen: (events: ScreenEvents) => void
  /** Sends output on its way to the screen. */
  readonly post: (bytes: Uint8Array) => void
  readonly close: () => void
}
