/** How a job stands on its instance, by what the instance says. */
export type JobState =
  /** The instance knows no such job: it was never started there. */
  | { readonly kind: 'none' }
  /** `bytes`: what the command has written so far. */
  | { readonly kind: 'running'; readonly bytes: number }
  | { readonly kind: 'exited'; readonly code: number; readonly isCanceled: boolean; readonly bytes: number }
  /** It was started, and no code will come: the instance started again meanwhile, or its process is gone. */
  | { readonly kind: 'lost'; readonly why: 'restarted' | 'vanished'; readonly bytes: number }
  /** Nothing was started; after `no-answer`, which may also come of another call, that can't be told. */
  | {
      readonly kind: 'refused'
      readonly why: 'read-only' | 'disk-full' | 'no-procfs' | 'no-answer' | 'busy-folder' | 'failed'
    }

export interface StartOrder {
  readonly jobId: string
  /** The project's folder on the instance, where the command is run; from the home on if it's relative. */
  readonly folder: string
  readonly command: string
}

/** The jobs of one instance, over SSH. Each call may be sent again after a lost reply. */
export interface InstanceJobs {
  /**
   * Starts the command, once: the lock on the instance decides, so that a second order, also one after a lost reply, only
   * tells how the job stands.
   *
   * @throws ConnectionProblem as what goes over SSH does
   */
  readonly start: (order: StartOrder, signal: AbortSignal) => Promise<JobState>
  readonly look: (jobId: string, signal: AbortSignal) => Promise<JobState>
  /**
   * Gives the log from a byte on as it's written, until the command has ended and all of it was given; then resolves with
   * how it stands. Waits while `onBytes` does.
   */
  readonly follow: (
    job: { readonly jobId: string; readonly from: number },
    onBytes: (bytes: Uint8Array) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<JobState>
  /** Ends the command's whole process group: TERM, KILL ten seconds later. */
  readonly cancel: (jobId: string, signal: AbortSignal) => Promise<JobState>
  /** The sha256 of files by their paths in a folder, as hex; a file without one is missing, all where the instance has no tool. */
  readonly hash: (
    folder: string,
    paths: readonly string[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, string>>
  /** Removes what the instance has of a job that isn't running, but for the project's folder. */
  readonly forget: (jobId: string, signal: AbortSignal) => Promise<void>
}
