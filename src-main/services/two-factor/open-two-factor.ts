import type { AccountState } from '../../domain/accounts/account.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import { sessionProblemOf } from '../../domain/rental-api/service-errors.ts'
import type { Http } from '../rental-api/http.ts'
import { createTfaClient } from '../rental-api/tfa.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import type { VaultService } from '../vault/open-vault.ts'
import { SecurityBook, securityFile } from './book.ts'
import type { SecurityParts } from './parts.ts'
import { Security } from './security.ts'

export interface TwoFactorDependencies extends Omit<SecurityParts, 'book' | 'vault'> {
  /** The account's key, and what speaks in its name. */
  readonly key: {
    readonly state: Latest<AccountState>
    readonly check: () => Promise<void>
    readonly http: Http
    readonly httpOfSession: (sessionKey: string) => Http
  }
  readonly vault: Pick<
    VaultService,
    'totp' | 'totpList' | 'backupCodes' | 'backupList' | 'sessionKeys' | 'check' | 'trueClock'
  >
  readonly file: Folder['file']
}

/**
 * The account's second factor.
 *
 * @throws ProblemError storage-failed when what was left undone cannot be read
 */
export async function openTwoFactor(from: TwoFactorDependencies, lifetime: Lifetime): Promise<Security> {
  const { key, vault, file } = from
  const security = new Security({
    ...from,
    account: key.state,
    check: key.check,
    clientOf: (sessionKey) =>
      sessionKey === null
        ? createTfaClient(key.http)
        : createTfaClient(key.httpOfSession(sessionKey), sessionProblemOf),
    sessions: vault.sessionKeys,
    book: new SecurityBook(await openJsonFile({ ...file('security.json'), ...securityFile })),
    vault: {
      totp: vault.totp,
      backupCodes: vault.backupCodes,
      entries: vault.totpList.listed,
      backupSets: vault.backupList.listed,
      check: vault.check,
      trueClock: vault.trueClock,
    },
  })
  lifetime.follow((signal) => security.follow(signal))
  return security
}
