import type { ConnectionState } from '../domain/ssh-connection.ts'

/** A state of a connection in which it waits for its user's word. */
export type Asked = Extract<ConnectionState, { kind: 'unknown-host' }>

/** What a connection asks its user while it is made: one question at a time. */
export class Question {
  #open: { readonly asked: Asked; readonly settle: (answer: boolean) => void } | null = null

  /** What is asked now. */
  get asked(): Asked | null {
    return this.#open?.asked ?? null
  }

  /** Resolves to the answer, or to no when the signal is aborted first. */
  ask(asked: Asked, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const settle = (answer: boolean): void => {
        this.#open = null
        signal.removeEventListener('abort', onAbort)
        resolve(answer)
      }
      const onAbort = (): void => settle(false)
      signal.addEventListener('abort', onAbort)
      this.#open = { asked, settle }
    })
  }

  answer(answer: boolean): void {
    this.#open?.settle(answer)
  }
}
