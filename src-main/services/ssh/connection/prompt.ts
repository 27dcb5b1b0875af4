import { invalidInput } from '../../../domain/base/problem.ts'
import type { ConnectionQuestion } from '../../../domain/ssh/connection-lifecycle.ts'
import { fits, type LoginAnswer } from '../../../domain/ssh/ssh-login.ts'
import type { PassphraseAnswer } from '../../../domain/ssh/ssh-passphrase.ts'

export type Answer =
  | { readonly kind: 'trust' }
  | ({ readonly kind: 'passphrase' } & PassphraseAnswer)
  | { readonly kind: 'login'; readonly answer: LoginAnswer }
  /** Refused, or nobody is there to answer any more. */
  | { readonly kind: 'no' }

/** What a connection asks its user while it is made: one question at a time. */
export class ConnectionPrompt {
  #open: { readonly asked: ConnectionQuestion; readonly settle: (answer: Answer) => void } | null = null

  /** Resolves to the answer; to `no` when the signal is aborted first. */
  ask(asked: ConnectionQuestion, signal: AbortSignal): Promise<Answer> {
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

  /** Whether the host's key is trusted; only for the very key that was shown. @throws ProblemError */
  answerHostKey(trust: boolean, fingerprint: string): void {
    const asked = this.#open?.asked
    if (asked?.kind !== 'unknown-host' || asked.offered.fingerprint !== fingerprint)
      throw invalidInput('fingerprint', { code: 'ended' })
    this.#settle({ kind: trust ? 'trust' : 'no' })
  }

  /** The passphrase of the key at `path`; `null` goes on without that key. @throws ProblemError */
  answerPassphrase(path: string, answer: PassphraseAnswer | null): void {
    const asked = this.#open?.asked
    if (asked?.kind !== 'passphrase' || asked.key.path !== path) throw invalidInput('path', { code: 'ended' })
    this.#settle(answer === null ? { kind: 'no' } : { kind: 'passphrase', ...answer })
  }

  /** What the host asks for; only for the very question that was shown. @throws ProblemError */
  answerLogin(questionId: number, answer: LoginAnswer): void {
    const asked = this.#open?.asked
    if (asked?.kind !== 'login' || asked.question.id !== questionId)
      throw invalidInput('questionId', { code: 'ended' })
    if (!fits(answer, asked.question)) throw invalidInput('answer', { code: 'wrong-value' })
    this.#settle({ kind: 'login', answer })
  }

  /** @returns whether this question of a host's was open: then it is not answered */
  declineLogin(questionId: number): boolean {
    const asked = this.#open?.asked
    const isOpen = asked?.kind === 'login' && asked.question.id === questionId
    if (isOpen) this.#settle({ kind: 'no' })
    return isOpen
  }

  #settle(answer: Answer): void {
    this.#open?.settle(answer)
  }
}
