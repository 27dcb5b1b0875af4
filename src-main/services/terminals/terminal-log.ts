import { serviceLine } from '../../domain/rental-api/service-text.ts'
import type { LineLogState } from '../../domain/base/line-log.ts'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import { localTime } from '../storage/line-log/log-lines.ts'
import { openLineLog, type LineLog } from '../storage/line-log/line-log.ts'

export interface TerminalLogOptions {
  readonly instanceId: number
  /** What the user calls the instance; `null` for one without a label. */
  readonly labelOf: (instanceId: number) => string | null
  /** The system's dialog; `null` when its user leaves it. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
  readonly redactLines: (text: string) => string
  /** Of its screen, now. */
  readonly columns: () => number
  /** ms since the epoch */
  readonly now: () => number
  /** Its `state` is another one. */
  readonly onChange: () => void
}

const longestLabel = 200

/** What a terminal's output is written to while its user wants that: a file, and one at a time. */
export class TerminalLog {
  readonly #options: TerminalLogOptions
  #state: LineLogState | null = null
  #log: LineLog | null = null
  #isGone = false

  constructor(options: TerminalLogOptions) {
    this.#options = options
  }

  /** `null` without a log; one that has ended by itself stays until it's stopped. */
  get state(): LineLogState | null {
    return this.#state
  }

  /**
   * Asks for a file, and writes to it what comes from then on. Without effect when none is chosen. That the file can't be
   * written is a log that has ended: it's told until its user has seen it.
   *
   * @throws ProblemError while there is one
   */
  async start(): Promise<void> {
    const { instanceId, chooseFile, now } = this.#options
    if (this.#log !== null) throw invalidInput('terminalId', { code: 'busy' })
    // Another one each time: a log before it isn't overwritten.
    const time = localTime(now()).slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', '-').replaceAll(':', '')
    const path = await chooseFile(`instance-${instanceId}-${time}.log`)
    if (path === null || this.#isGone) return
    try {
      await this.#begin(path)
    } catch (error) {
      const isTold = error instanceof ProblemError && error.problem.kind === 'storage-failed'
      // Another one goes on, and is what is shown.
      if (!isTold || this.#isGone || this.#log !== null) throw error
      this.#show(null, { path, end: { kind: 'failed', detail: error.problem.detail } })
    }
  }

  async #begin(path: string): Promise<void> {
    const { instanceId, labelOf, redactLines, columns, now } = this.#options
    const label = labelOf(instanceId)
    const name = label === null ? '' : ` (${serviceLine(label, longestLabel)})`
    const log = await openLineLog({
      ...{ path, redactLines, columns, now },
      header: [
        `Terminal on instance ${instanceId}${name}, logged by Slipway since ${localTime(now())}`,
        'Each line begins with the time when it ended, on this computer. Escape sequences are removed; secrets that Slipway knows are replaced.',
      ],
      onEnd: (end) => {
        if (this.#log === log) this.#show(null, { path, end })
      },
    })
    // Another one may have been begun in another dialog meanwhile.
    if (this.#isGone || this.#log !== null) return log.close()
    this.#show(log, { path, end: null })
  }

  write(bytes: Uint8Array): void {
    this.#log?.write(bytes)
  }

  /** A line of Slipway's own. */
  note(text: string): void {
    this.#log?.note(text)
  }

  /** Resolves when all is written; what the file has stays. */
  async stop(): Promise<void> {
    const log = this.#log
    this.#show(null, null)
    await log?.close()
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#isGone = true
    await this.stop()
  }

  #show(log: LineLog | null, state: LineLogState | null): void {
    this.#log = log
    this.#state = state
    this.#options.onChange()
  }
}
