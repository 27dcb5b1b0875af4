import { settledAfterMs } from './two-factor-settle.ts'
import { twoFactorOf } from './two-factor-view.ts'
import type { AccountTwoFactor, KnownTwoFactor } from '../../domain/two-factor/two-factor.ts'
import type { User } from '../../domain/accounts/account.ts'
import type { VaultAccount } from '../../domain/vault/vault-view.ts'
import type { AccountFacts } from './account-facts.ts'
import type { OpenStep } from './pending-steps.ts'
import type { TwoFactorParts } from './parts.ts'
import { unfinishedSteps } from './unfinished-steps.ts'

export interface AccountViewOptions extends Pick<TwoFactorParts, 'vault' | 'pendingSteps' | 'clock'> {
  readonly account: VaultAccount
  readonly user: User | null
  readonly facts: AccountFacts
  readonly session: KnownTwoFactor['session']
  readonly isSessionLeft: boolean
  readonly entryInUse: string | null
  readonly isChecking: boolean
}

/** The account's 2FA as it is shown: what the service said, and what the vault and the pending steps add. */
export function viewOf(options: AccountViewOptions): AccountTwoFactor {
  const { vault, pendingSteps, clock, account, user, facts, session, isSessionLeft, entryInUse, isChecking } =
    options
  const { known, team, problem, emailRefused, windowClosesAt } = facts
  if (team !== null) return { kind: 'team', ...team }
  if (known === null) return { kind: 'unknown', problem, isChecking }
  const notes = pendingSteps.notes
  return twoFactorOf({
    ...known,
    user,
    emailRefused,
    windowClosesAt,
    isSmsDisabled: notes.isSmsDisabled,
    session,
    isSessionLeft,
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
    toLocal: vault.correctedClock.toLocal,
  })
}

/** The service's time is known to about a second: asked earlier, it might say that nothing has ended yet. */
const marginMs = 1000

/**
 * When the service is to be asked again, by this machine's clock: a lockout or the window in which methods may be added
 * has ended since it was asked last, or will; or it can say by then what became of a lost reply. A time may have passed
 * already, as timers of a machine that slept do.
 */
export function endsOf(
  { known, failedAt, windowClosesAt }: AccountFacts,
  open: readonly OpenStep[],
  toLocal: (trueMs: number) => number,
): readonly number[] {
  if (known === null) return []
  const askedAt = Math.max(known.checkedAt, failedAt ?? 0)
  const locks = known.status.methods.map(({ locked_until: until }) =>
    until === null || until === undefined ? null : toLocal(until * 1000),
  )
  const lost = open.map(({ at }) => at + settledAfterMs)
  return [...locks, ...lost, known.status.new_method_authorized === true ? windowClosesAt : null]
    .filter((at) => at !== null)
    .map((at) => at + marginMs)
    .filter((at) => at > askedAt)
}
