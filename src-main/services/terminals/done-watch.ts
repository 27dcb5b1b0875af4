import type { Clock } from '../../domain/base/clock.ts'
import type { TerminalDone } from '../../domain/notifications/done-notifications.ts'

/** Output that ends for so long is done, or waits. */
const silenceSeconds = 10
/** Output so soon after a key is its echo, or what it asked for: its user is there. */
const echoMs = 1_000
/** So soon after a shell has begun it greets, or a session draws itself anew. */
const greetingMs = 3_000

/**
 * Tells once when what runs in a terminal is done, and is off from then on: whatever an instance sends, it's one
 * notification. A terminal doesn't know its commands, so done is what comes first of: output, then neither output nor
 * keys for 10 s; a shell that says so; the shell's end. It looks at times only, once for each batch of output.
 */
export class DoneWatch {
  readonly #clock: Clock
  readonly #tell: (end: TerminalDone) => void
  readonly #onSwitched: () => void
  /** Aborted when it's switched off; `null` while it's off. */
  #on: AbortController | null = null
  #keyAt = -Infinity
  #shellAt = -Infinity
  /** Of the newest output or key. */
  #busyAt = -Infinity
  #hasOutput = false

  constructor(from: {
    readonly clock: Clock
    readonly tell: (end: TerminalDone) => void
    /** It was switched on or off. */
    readonly onSwitched: () => void
  }) {
    this.#clock = from.clock
    this.#tell = from.tell
    this.#onSwitched = from.onSwitched
  }

  get isOn(): boolean {
    return this.#on !== null
  }

  switch(on: boolean): void {
    if (on === this.isOn) return
    this.#on?.abort()
    this.#on = on ? new AbortController() : null
    this.#hasOutput = false
    this.#onSwitched()
  }

  /** A shell begins, or a session is attached to again. */
  shellBegan(): void {
    this.#shellAt = this.#clock.now()
  }

  typed(): void {
    this.#keyAt = this.#clock.now()
    this.#busyAt = this.#keyAt
  }

  /** A batch of output is on its way to the screen. */
  output(): void {
    if (this.#on === null) return
    const now = this.#clock.now()
    this.#busyAt = now
    if (this.#hasOutput || isWithin(echoMs, this.#keyAt, now) || isWithin(greetingMs, this.#shellAt, now))
      return
    this.#hasOutput = true
    void this.#untilSilent(this.#on.signal)
  }

  /** The shell told that a command ended, as the screen has read. Right after a key its user knows. */
  commandEnded(code: number | null): void {
    if (!isWithin(echoMs, this.#keyAt, this.#clock.now())) this.done({ kind: 'command-ended', code })
  }

  /** Tells it, if that is still wanted. */
  done(end: TerminalDone): void {
    if (!this.isOn) return
    this.switch(false)
    this.#tell(end)
  }

  async #untilSilent(signal: AbortSignal): Promise<void> {
    const silenceMs = silenceSeconds * 1_000
    for (;;) {
      const seen = this.#busyAt
      // No longer than that: the clock may have been set back.
      const leftMs = Math.min(silenceMs, seen + silenceMs - this.#clock.now())
      await this.#clock.sleep(Math.max(0, leftMs), signal).catch(() => undefined)
      if (signal.aborted) return
      if (this.#busyAt === seen) return this.done({ kind: 'silent', seconds: silenceSeconds })
    }
  }
}

/** Before the time the clock was set back since. */
function isWithin(ms: number, at: number, now: number): boolean {
  return now >= at && now - at < ms
}
