import { invalidInput, type ProblemError } from '../../../domain/base/problem.ts'
import { challengeMs } from '../../../domain/two-factor/methods.ts'

/** A code that was sent, and what belongs to it. */
export interface Challenge {
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly expiresAt: number
}

/** How long one waits before a code is sent again, so that the first one can arrive. */
const resendAfterMs = 30_000

/** The codes that are under way in one procedure, by the way they go. */
export class Challenges {
  readonly #remember: (secret: string) => void
  readonly #all = new Map<string, Challenge>()

  constructor(remember: (secret: string) => void) {
    this.#remember = remember
  }

  /** The last one, also when its code is too old by now. */
  get(id: string): Challenge | null {
    return this.#all.get(id) ?? null
  }

  /** The one whose code is still good, as far as this machine's clock can tell. */
  good(id: string, now: number): Challenge | null {
    const challenge = this.get(id)
    return challenge !== null && challenge.expiresAt > now ? challenge : null
  }

  /** A code was sent: its secret takes the place of the one before. */
  adopt(id: string, secret: string, now: number): void {
    this.#remember(secret)
    this.#all.set(id, { secret, at: now, expiresAt: now + challengeMs })
  }

  /** Its code is of no use any more; the next one may be sent at once. */
  drop(id: string): void {
    this.#all.delete(id)
  }

  /** As it is shown. */
  shown(id: string): { readonly at: number; readonly expiresAt: number } | null {
    const challenge = this.get(id)
    return challenge === null ? null : { at: challenge.at, expiresAt: challenge.expiresAt }
  }

  /** When the next one may be sent; `null`: now. A send that failed makes nobody wait. */
  resendAt(id: string, now: number): number | null {
    const challenge = this.get(id)
    const at = challenge === null ? 0 : challenge.at + resendAfterMs
    return at > now ? at : null
  }
}

/** What one is told who asks for a code before `resendAt`. */
export function tooSoon(): ProblemError {
  return invalidInput('resendAt', { code: 'too-soon' })
}
