import type { AccountState } from '../../domain/accounts/account.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import { sessionProblemOf } from '../../domain/rental-api/service-errors.ts'
import type { Http } from '../rental-api/http.ts'
import { createTwoFactorClient } from '../rental-api/two-factor.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import type { VaultService } from '../vault/open-vault.ts'
import { PendingSteps, twoFactorFile } from './pending-steps.ts'
import type { TwoFactorAccountOptions, TwoFactorParts } from './parts.ts'
import { TwoFactor } from './two-factor.ts'

export interface TwoFactorDependencies extends Omit<TwoFactorParts, 'pendingSteps' | 'vault'> {
  /** The account's key, and what speaks in its name. */
  readonly key: {
    readonly state: Latest<AccountState>
    readonly check: () => Promise<void>
    readonly keyHttp: Http
    readonly httpOfSession: (sessionKey: string) => Http
    readonly useSession: TwoFactorAccountOptions['useSession']
  }
  readonly vault: Pick<
    VaultService,
    'totp' | 'totpList' | 'backupCodes' | 'backupList' | 'sessionKeys' | 'check' | 'correctedClock'
  >
  readonly file: Folder['file']
}

/**
 * The account's 2FA.
 *
 * @throws ProblemError storage-failed when what was left undone cannot be read
 */
export async function openTwoFactor(from: TwoFactorDependencies, lifetime: Lifetime): Promise<TwoFactor> {
  const { key, vault, file } = from
  const twoFactor = new TwoFactor({
    ...from,
    account: key.state,
    check: key.check,
    clientOf: (sessionKey) =>
      sessionKey === null
        ? createTwoFactorClient(key.keyHttp)
        : createTwoFactorClient(key.httpOfSession(sessionKey), sessionProblemOf),
    sessions: vault.sessionKeys,
    useSession: key.useSession,
    pendingSteps: new PendingSteps(await openJsonFile({ ...file('security.json'), ...twoFactorFile })),
    vault: {
      totp: vault.totp,
      backupCodes: vault.backupCodes,
      entries: vault.totpList.listed,
      backupSets: vault.backupList.listed,
      check: vault.check,
      correctedClock: vault.correctedClock,
    },
  })
  lifetime.follow((signal) => twoFactor.follow(signal))
  lifetime.onWake(() => twoFactor.wake())
  return twoFactor
}
