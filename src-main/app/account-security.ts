import type { Clock } from '../domain/base/clock.ts'
import { sessionProblemOf } from '../domain/rental-api/service-errors.ts'
import type { Log } from '../domain/base/log.ts'
import type { ApiKeyStore, ConnectedAccount } from '../services/accounts/connected-account.ts'
import { createTfaClient } from '../services/rental-api/tfa.ts'
import { SecurityBook, securityFile } from '../services/two-factor/book.ts'
import { Security } from '../services/two-factor/security.ts'
import { openJsonFile, type JsonFilePlace } from '../services/storage/json-file.ts'
import type { TrueClock } from '../services/vault/codes/true-clock.ts'
import type { Vault } from '../services/vault/vault.ts'

export interface AccountSecurityOptions {
  readonly account: ConnectedAccount
  readonly vault: Vault
  readonly trueClock: TrueClock
  readonly file: JsonFilePlace
  readonly clock: Clock
  readonly random: () => number
  readonly randomId: () => string
  readonly log: Log
  readonly remember: (secret: string) => void
}

/**
 * The part of the composition root that puts together the account's second factor.
 *
 * @throws ProblemError storage-failed when what was left undone cannot be read
 */
export async function composeSecurity(options: AccountSecurityOptions): Promise<Security> {
  const { account, vault, trueClock, file } = options
  const book = await openJsonFile({ ...file, ...securityFile })
  return new Security({
    ...options,
    account: account.state,
    check: account.check,
    clientOf: (sessionKey) =>
      sessionKey === null
        ? createTfaClient(account.http)
        : createTfaClient(account.httpOfSession(sessionKey), sessionProblemOf),
    sessions: vault.sessionKeys,
    book: new SecurityBook(book),
    vault: {
      totp: vault.totp,
      backupCodes: vault.backupCodes,
      entries: vault.totpList.listed,
      backupSets: vault.backupList.listed,
      check: vault.canKeep,
      trueClock,
    },
  })
}

/** API keys as the account uses them: a session goes with the key that it was opened by. */
export function keysWithSessions({ apiKeys, sessionKeys }: Vault): ApiKeyStore {
  return {
    read: (...key) => apiKeys.read(...key),
    keep: (...key) => apiKeys.keep(...key),
    forget: async (accountId) => {
      await apiKeys.forget(accountId)
      await sessionKeys.forget(accountId)
    },
  }
}
