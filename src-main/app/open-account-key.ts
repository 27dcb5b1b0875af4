import { keysWithSessions } from './account-security.ts'
import type { CheckedKey } from '../services/accounts/check-key.ts'
import {
  createConnectedAccount,
  type AccountFile,
  type ConnectedAccount,
} from '../services/accounts/connected-account.ts'
import type { Shared } from './shared-services.ts'

/** A key that was checked just now, and where it is to be kept. */
export interface NewKey {
  readonly key: CheckedKey
  readonly keepIn: 'keychain' | 'memory'
}

/** Which account is to be put together. */
export interface AccountToOpen {
  readonly id: string
  /** How it is kept for the next run. */
  readonly file: AccountFile
  /** Kept and used before anything else is opened; `null` for an account that is kept. */
  readonly newKey: NewKey | null
}

/** What is kept where there is no account. */
const nobody: Pick<AccountToOpen, 'file' | 'newKey'> = {
  file: { read: () => null, write: () => Promise.resolve() },
  newKey: null,
}

/**
 * An account's key and its client, with a new key kept and in use.
 *
 * @throws ProblemError keychain-locked, storage-failed: a new key is not kept then
 */
export async function openAccountKey(
  shared: Shared,
  opened: AccountToOpen | null,
): Promise<ConnectedAccount> {
  const { fetch, clock, random, randomId } = shared.surroundings
  const { file, newKey } = opened ?? nobody
  const account = createConnectedAccount({
    fetch,
    clock,
    random,
    keys: keysWithSessions(shared.vault),
    file,
    randomId,
    log: shared.log,
    remember: shared.remember,
    onDate: shared.trueClock.note,
  })
  if (newKey !== null) await account.use(newKey.key, newKey.keepIn)
  return account
}
