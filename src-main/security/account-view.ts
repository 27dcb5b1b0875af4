import { securityOf } from '../domain/security-view.ts'
import type { AccountSecurity, KnownSecurity } from '../domain/security.ts'
import type { User } from '../domain/user.ts'
import type { VaultAccount } from '../domain/vault-view.ts'
import type { AccountFacts } from './account-facts.ts'
import type { SecurityParts } from './parts.ts'
import { unfinishedSteps } from './unfinished-steps.ts'

export interface AccountViewOptions extends Pick<SecurityParts, 'vault' | 'book' | 'clock'> {
  readonly owner: string
  readonly account: VaultAccount
  readonly user: User | null
  readonly facts: AccountFacts
  readonly session: KnownSecurity['session']
  readonly entryInUse: string | null
  readonly isChecking: boolean
}

/** The account's second factor as it is shown: what the service said, and what the vault and the book add. */
export function viewOf(options: AccountViewOptions): AccountSecurity {
  const { vault, book, clock, owner, account, user, facts, session, entryInUse, isChecking } = options
  const { known, team, problem, emailRefused, windowClosesAt } = facts
  if (team !== null) return { kind: 'team', ...team }
  if (known === null) return { kind: 'unknown', problem, isChecking }
  const notes = book.of(owner)
  return securityOf({
    ...known,
    user,
    emailRefused,
    windowClosesAt,
    isSmsDisabled: notes.isSmsDisabled,
    session,
    unfinished: unfinishedSteps({
      notes,
      entries: vault.entries.value,
      backupSets: vault.backupSets.value,
      account,
      entryInUse,
    }),
    entryOf: (methodId) => vault.totp.find(account, methodId),
    problem,
    isChecking,
    now: clock.now(),
    toLocal: vault.trueClock.toLocal,
  })
}

/** When lockouts and the window in which methods may be added end, by this machine's clock. */
export function endsOf(view: AccountSecurity): readonly number[] {
  if (view.kind !== 'known') return []
  return [
    ...view.methods.map(({ lockedUntil }) => lockedUntil),
    view.addWindow.kind === 'open' ? view.addWindow.closesAt : null,
  ].filter((at) => at !== null)
}
