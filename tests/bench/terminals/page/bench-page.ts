/** A way to a shell: Slipway's, ssh2 paused by watermarks with VS Code's constants, or OpenSSH's client. */
export type ShellKind = 'slipway' | 'watermarks' | 'open-ssh'

export interface ShellRequest {
  readonly kind: ShellKind
  readonly distance: 'near' | 'far'
}

/** What the bench asks of its page. Times are in milliseconds, keys tell shells apart. */
export interface BenchPage {
  /** Opens a shell in a pane of its own, beside those that are open; resolves when its prompt is drawn. */
  readonly open: (request: ShellRequest) => Promise<number>
  readonly close: (key: number) => void
  /** Runs a command; how long until a line with the mark is drawn. */
  readonly run: (key: number, command: string, mark: string) => Promise<number>
  /** Presses keys at the prompt, as fast as a person does; how long each takes to be drawn. */
  readonly press: (key: number, count: number) => Promise<number[]>
  /** Starts a program that writes for ever, and resolves when its text is drawn. */
  readonly flood: (key: number) => Promise<void>
  /** Ctrl-C in a flood; how long until the next prompt is drawn. */
  readonly interrupt: (key: number) => Promise<number>
  /** xterm.js alone with the same renderer; how long so many bytes of the text from memory take to be drawn. */
  readonly drawAlone: (bytes: number) => Promise<number>
  /** The same for a terminal that is not shown, with the scheduler or with xterm.js as it comes. */
  readonly parseHidden: (kind: 'slipway' | 'xterm', bytes: number) => Promise<number>
  /** Makes terminals with a thousand lines in each, which stay. */
  readonly makeTabs: (kind: 'slipway' | 'xterm', count: number) => Promise<void>
  /** Makes drawing free for all terminals that are opened from now on. */
  readonly freeDrawing: () => void
  /** What draws: `WebGL` where there is a real GPU, else `DOM`. */
  readonly renderer: () => string
}

declare global {
  interface Window {
    bench: BenchPage
  }
}
