import type { ConnectionState } from '../domain/ssh-connection.ts'
import type { LoginAnswer } from '../domain/ssh-login.ts'
import type { PassphraseAnswer } from '../domain/ssh-passphrase.ts'

/** A state of a connection in which it waits for its user's word. */
export type Asked = Extract<ConnectionState, { kind: 'unknown-host' | 'passphrase' | 'login' }>

export type Answer =
  | { readonly kind: 'trust' }
  | ({ readonly kind: 'passphrase' } & PassphraseAnswer)
  | { readonly kind: 'login'; readonly answer: LoginAnswer }
  /** Refused, or nobody is there to answer any more. */
  | { readonly kind: 'no' }

/** What a connection asks its user while it is made: one question at a time. */
export class Question {
  #open: { readonly asked: Asked; readonly settle: (answer: Answer) => void } | null = null

  /** What is asked now. */
  get asked(): Asked | null {
    return this.#open?.asked ?? null
  }

  /** Resolves to the answer; to `no` when the signal is aborted first. */
  ask(asked: Asked, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return Promise.resolve({ kind: 'no' })
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        // The next attempt may be asking already.
        if (this.#open === open) this.#open = null
        signal.removeEventListener('abort', onAbort)
        resolve(answer)
      }
      const onAbort = (): void => settle({ kind: 'no' })
      const open = { asked, settle }
      signal.addEventListener('abort', onAbort)
      this.#open = open
    })
  }

  /** Without effect when nothing is asked any more. */
  answer(answer: Answer): void {
    this.#open?.settle(answer)
  }
}
