import type { Problem } from '../domain/problem.ts'
import type { TfaStatus } from '../domain/tfa.ts'

/** What the service has said of the second factor of the account in use. Times are this machine's, in ms. */
export interface AccountFacts {
  readonly known: { readonly status: TfaStatus; readonly checkedAt: number } | null
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

export const noFacts: AccountFacts = {
  known: null,
  team: null,
  problem: null,
  failedAt: null,
  emailRefused: null,
  windowClosesAt: null,
}
