import type { Clock } from '../../../domain/base/clock.ts'
import { Latest } from '../../../domain/base/latest.ts'
import { stepAt, timesOfStep } from '../../../domain/vault/otp.ts'
import type { VaultCode, VaultCodes } from '../../../domain/vault/vault-view.ts'
import { codeOfStep } from './one-time-code.ts'
import type { SecretVisibility } from '../secret-visibility.ts'
import type { Totp } from './totp.ts'
import type { CorrectedClock } from './corrected-clock.ts'

export interface LiveCodesOptions {
  readonly entries: Pick<Latest<readonly { readonly id: string }[]>, 'value' | 'watch'>
  readonly maker: Totp['maker']
  /** A keychain that opens or closes changes what can be read. */
  readonly keychain: Pick<Latest<unknown>, 'watch'>
  readonly screen: Pick<SecretVisibility, 'state' | 'hold'>
  readonly clock: Clock
  readonly correctedClock: Pick<CorrectedClock, 'now' | 'toLocal' | 'state'>
}

type Maker = Awaited<ReturnType<Totp['maker']>>

/** A clock that was set is noticed after this long at most. */
const longestSleepMs = 5_000
/** A step whose times are off by less looks the same. */
const sameMs = 500

const nothingShown: VaultCodes = { kind: 'shown', codes: [] }

/**
 * The codes of all entries, for as long as somebody looks: a push for each step, not for each second. Secrets are
 * in memory only meanwhile, and not while they are hidden.
 */
export class LiveCodes {
  readonly #options: LiveCodesOptions
  readonly #codes = new Latest<VaultCodes>(nothingShown)
  readonly #makers = new Map<string, Maker>()
  #watchers = 0
  #end = new AbortController()
  #stir = new AbortController()
  #ready: Promise<void> = Promise.resolve()

  constructor(options: LiveCodesOptions) {
    this.#options = options
  }

  async *watch(signal?: AbortSignal): AsyncGenerator<VaultCodes, void, void> {
    const release = this.#options.screen.hold()
    this.#watchers += 1
    if (this.#watchers === 1) this.#ready = this.#begin()
    try {
      await this.#ready
      yield* this.#codes.watch(signal)
    } finally {
      this.#watchers -= 1
      if (this.#watchers === 0) this.#finish()
      release()
    }
  }

  async #begin(): Promise<void> {
    this.#end = new AbortController()
    const { signal } = this.#end
    // Before the first push, so that nobody sees an empty vault for a moment.
    await this.#refresh(signal)
    void this.#tick(signal)
    const { entries, keychain, screen, correctedClock } = this.#options
    for (const cause of [entries, keychain, screen.state]) void this.#stirOn(cause, signal, true)
    void this.#stirOn(correctedClock.state, signal, false)
  }

  #finish(): void {
    this.#end.abort()
    this.#makers.clear()
    this.#codes.set(nothingShown)
  }

  async #stirOn(
    cause: Pick<Latest<unknown>, 'watch'>,
    signal: AbortSignal,
    readAgain: boolean,
  ): Promise<void> {
    let isFirst = true
    for await (const _ of cause.watch(signal)) {
      if (isFirst) isFirst = false
      else {
        if (readAgain) this.#makers.clear()
        this.#stir.abort()
      }
    }
  }

  async #tick(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const either = AbortSignal.any([signal, this.#stir.signal])
      await this.#options.clock.sleep(this.#untilNextStepMs(), either).catch(() => undefined) // stirred, or ended
      // Before the reading: what happens meanwhile stirs the next round.
      this.#stir = new AbortController()
      await this.#refresh(signal)
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { screen, entries } = this.#options
    const { hiddenBy } = screen.state.value
    if (hiddenBy !== null) {
      this.#makers.clear()
      this.#push({ kind: 'hidden', by: hiddenBy })
      return
    }
    const codes: VaultCode[] = []
    for (const { id } of entries.value) codes.push(this.#codeOf(id, await this.#maker(id)))
    // While it was read, everybody may have left, or it may have been hidden.
    if (signal.aborted || screen.state.value.hiddenBy !== null) this.#makers.clear()
    else this.#push({ kind: 'shown', codes })
  }

  async #maker(id: string): Promise<Maker> {
    const known = this.#makers.get(id)
    if (known) return known
    const maker = await this.#options.maker(id)
    this.#makers.set(id, maker)
    return maker
  }

  #codeOf(id: string, maker: Maker): VaultCode {
    if (maker.kind !== 'found') return { kind: 'none', id, trouble: maker.kind }
    const { correctedClock } = this.#options
    const { period } = maker.secret.parameters
    const step = stepAt(correctedClock.now(), period)
    const { startMs, endMs } = timesOfStep(step, period)
    return {
      kind: 'code',
      id,
      code: codeOfStep(maker.secret, step),
      startsAtMs: Math.round(correctedClock.toLocal(startMs)),
      endsAtMs: Math.round(correctedClock.toLocal(endMs)),
      isUsed: maker.secret.lastStep === step,
    }
  }

  #untilNextStepMs(): number {
    const codes = this.#codes.value.kind === 'shown' ? this.#codes.value.codes : []
    const ends = codes.flatMap((code) => (code.kind === 'code' ? [code.endsAtMs] : []))
    // One more: a timer that is early would show the old code for another sleep.
    const nextMs = Math.min(...ends) - this.#options.clock.now() + 1
    return Math.min(longestSleepMs, Math.max(1, nextMs))
  }

  #push(next: VaultCodes): void {
    if (!isSame(this.#codes.value, next)) this.#codes.set(next)
  }
}

function isSame(one: VaultCodes, other: VaultCodes): boolean {
  if (one.kind !== 'shown' || other.kind !== 'shown') return JSON.stringify(one) === JSON.stringify(other)
  return (
    one.codes.length === other.codes.length &&
    one.codes.every((code, index) => {
      const twin = other.codes[index]
      if (twin?.kind !== 'code' || code.kind !== 'code') return JSON.stringify(code) === JSON.stringify(twin)
      const isNear = Math.abs(code.endsAtMs - twin.endsAtMs) < sameMs
      return isNear && code.id === twin.id && code.code === twin.code && code.isUsed === twin.isUsed
    })
  )
}
