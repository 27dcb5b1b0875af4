/** Time as an argument, so that every test can own it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
