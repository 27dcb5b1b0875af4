import { codeMeanings } from '../../domain/two-factor/code-meanings.ts'

const { reaction } = codeMeanings.sms_rate_limited
const cooldownSeconds = reaction.kind === 'cooldown' ? reaction.seconds : []

/** What the service said about sending SMS during this run; all procedures share it. */
export class SmsLimits {
  readonly #refusedNumbers = new Set<string>()
  #timesLimited = 0
  #limitedUntil = 0

  isRefused(number: string): boolean {
    return this.#refusedNumbers.has(number)
  }

  /** The service cannot send to this number; it is not asked to again in this run. */
  refuse(number: string): void {
    this.#refusedNumbers.add(number)
  }

  /** Too many were asked for: longer each time. */
  limit(now: number): void {
    const seconds = cooldownSeconds[Math.min(this.#timesLimited, cooldownSeconds.length - 1)] ?? 0
    this.#timesLimited += 1
    this.#limitedUntil = now + seconds * 1000
  }

  /** Before this nothing is to be sent; `null`: it may be. */
  until(now: number): number | null {
    return this.#limitedUntil > now ? this.#limitedUntil : null
  }
}
