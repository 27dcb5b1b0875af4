import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { addWindowMs, type TwoFactorRecord } from '../../domain/two-factor/methods.ts'

/** What the service has said of the account's 2FA. Times are this machine's, in ms. */
export interface AccountFacts {
  readonly known: { readonly status: TwoFactorRecord; readonly checkedAt: number } | null
  /** Its refusal to speak of a member of a team. */
  readonly team: { readonly message: string; readonly checkedAt: number } | null
  /** Why the last answer did not come. */
  readonly problem: Problem | null
  /** When that was. */
  readonly failedAt: number | null
  readonly emailRefused: 'unverified' | 'missing' | null
  /** Of the window in which methods may be added, where it was opened from here. */
  readonly windowClosesAt: number | null
}

const noFacts: AccountFacts = {
  known: null,
  team: null,
  problem: null,
  failedAt: null,
  emailRefused: null,
  windowClosesAt: null,
}

export interface HeldFactsOptions {
  readonly clock: Clock
  readonly log: Log
  /** Something was learned besides an answer to the question for the state. */
  readonly onChange: () => void
}

/** What is known of the account, as answers and refusals tell it. */
export class HeldFacts {
  readonly #options: HeldFactsOptions
  #value = noFacts

  constructor(options: HeldFactsOptions) {
    this.#options = options
  }

  get value(): AccountFacts {
    return this.#value
  }

  /** The service has told the state. */
  answered(status: TwoFactorRecord): void {
    const known = { status, checkedAt: this.#options.clock.now() }
    this.#note({ known, team: null, problem: null, failedAt: null, emailRefused: null })
  }

  /** It has not; what was known before stays. A refusal may say something of the account itself. */
  failed(error: unknown): void {
    const { clock, log } = this.#options
    const problem: Problem =
      error instanceof ProblemError
        ? error.problem
        : { kind: 'unexpected', id: log.error('The state of 2FA could not be read', error) }
    if (problem.kind === 'tfa-refused' && problem.code === 'team_user_forbidden')
      this.noteTeam(problem.message)
    else this.#note({ problem, failedAt: clock.now() })
  }

  /** The service does not speak of a member of a team. @param message in its own words */
  noteTeam(message: string): void {
    this.#note({ team: { message, checkedAt: this.#options.clock.now() } })
    this.#options.onChange()
  }

  /** The service refused because of the account’s email address; that holds until it tells the state again. */
  noteEmail(refused: 'unverified' | 'missing'): void {
    this.#note({ emailRefused: refused })
    this.#options.onChange()
  }

  /** The window of 30 minutes was opened (or was found to be closed) just now. */
  noteWindow(isOpen: boolean): void {
    const { known } = this.#value
    this.#note({
      windowClosesAt: isOpen ? this.#options.clock.now() + addWindowMs : null,
      known: known && { ...known, status: { ...known.status, new_method_authorized: isOpen } },
    })
    this.#options.onChange()
  }

  #note(facts: Partial<AccountFacts>): void {
    this.#value = { ...this.#value, ...facts }
  }
}
