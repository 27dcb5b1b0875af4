import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { HiddenBy, ScreenState } from '../../domain/vault/vault-view.ts'

export interface SecretVisibilityOptions {
  readonly clock: Clock
  /** Keeps the window out of screenshots, or no longer; `null` where the system has no such thing. */
  readonly protect: ((isOn: boolean) => void) | null
  /** Since when nobody has touched the computer, in ms. */
  readonly idleMs: () => number
  /** Whether the screen is locked now, on a system that does not tell when it gets locked. */
  readonly isLocked: () => boolean
  /** After how long of that secrets are hidden. */
  readonly hideAfterMs: () => number
}

const lookEveryMs = 5_000

/** Whether secrets may be on the screen, and that nobody photographs them while they are. */
export class SecretVisibility {
  readonly #options: SecretVisibilityOptions
  readonly state: Latest<ScreenState>
  #shown = 0

  constructor(options: SecretVisibilityOptions) {
    this.#options = options
    this.state = new Latest<ScreenState>({ hiddenBy: null, canProtect: options.protect !== null })
  }

  /**
   * The first reason stays until secrets are shown again. Watchers are told each time: while codes are hidden,
   * other secrets may have been typed.
   */
  hide(by: HiddenBy): void {
    this.state.set({ ...this.state.value, hiddenBy: this.state.value.hiddenBy ?? by })
  }

  show(): void {
    if (this.state.value.hiddenBy !== null) this.state.set({ ...this.state.value, hiddenBy: null })
  }

  /** To be called before a secret is shown, and what it returns when it is not any more. */
  hold(): () => void {
    this.#shown += 1
    if (this.#shown === 1) this.#options.protect?.(true)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#shown -= 1
      if (this.#shown === 0) this.#options.protect?.(false)
    }
  }

  /** Holds for as long as it is watched. */
  async *watch(signal?: AbortSignal): AsyncGenerator<ScreenState, void, void> {
    const release = this.hold()
    try {
      yield* this.state.watch(signal)
    } finally {
      release()
    }
  }

  /**
   * Something that may be seen for so long, and then its end: the time is over, or secrets were hidden.
   *
   * @param look reads it; what it throws, the watcher gets
   */
  async *showFor<T extends object>(
    forMs: number,
    look: () => Promise<T>,
    signal?: AbortSignal,
  ): AsyncGenerator<
    | (T & { readonly kind: 'shown'; readonly endsAtMs: number })
    | { readonly kind: 'ended'; readonly by: HiddenBy | 'time' },
    void,
    void
  > {
    const release = this.hold()
    const left = new AbortController()
    const signals = AbortSignal.any(signal ? [signal, left.signal] : [left.signal])
    try {
      const seen = this.#isHidden ? null : await look()
      // A keychain takes its time: it may have been hidden meanwhile.
      if (seen !== null && !this.#isHidden)
        yield { ...seen, kind: 'shown', endsAtMs: this.#options.clock.now() + forMs }
      const timeIsOver = this.#options.clock.sleep(forMs, signals).then(
        () => 'time' as const,
        () => null, // the watcher left, or it was hidden first
      )
      const by = await Promise.race([timeIsOver, this.#untilHidden(signals)])
      if (by !== null) yield { kind: 'ended', by }
    } finally {
      left.abort()
      release()
    }
  }

  /** Hides what is shown when nobody is there. Ends when the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { clock, idleMs, isLocked, hideAfterMs } = this.#options
    let wasHidden = false
    while (!signal.aborted) {
      if (isLocked()) this.hide('screen-lock')
      const hasToHide = this.#shown > 0 && idleMs() >= hideAfterMs()
      if (hasToHide && !wasHidden) this.hide('idle')
      wasHidden = hasToHide && this.#isHidden
      await clock.sleep(lookEveryMs, signal).catch(() => undefined) // aborted: the loop ends
    }
  }

  get #isHidden(): boolean {
    return this.state.value.hiddenBy !== null
  }

  async #untilHidden(signal: AbortSignal): Promise<HiddenBy | null> {
    for await (const { hiddenBy } of this.state.watch(signal)) if (hiddenBy !== null) return hiddenBy
    return null
  }
}
