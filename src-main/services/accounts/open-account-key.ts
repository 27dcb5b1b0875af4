import { createAccountKey, type AccountFile, type AccountKey, type AccountKeyOptions } from './account-key.ts'
import type { ApiKeyStore } from './api-key-store.ts'
import type { CheckedKey } from './check-key.ts'

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

export interface AccountKeyDependencies extends Omit<AccountKeyOptions, 'keys' | 'file'> {
  /** `null` for what stands in for an account where none is connected. */
  readonly opened: AccountToOpen | null
  readonly vault: {
    readonly apiKeys: ApiKeyStore
    readonly sessionKeys: { readonly forget: (keyId: string) => Promise<void> }
  }
}

/** What is kept where there is no account. */
const nobody: Pick<AccountToOpen, 'file' | 'newKey'> = {
  file: { read: () => null, write: () => Promise.resolve() },
  newKey: null,
}

/**
 * Opens an account by its key, with a new key kept and in use, and around it what the account is made of. Where that
 * cannot be opened, the new key is not kept.
 *
 * @param openAround opens what stands around the key
 * @throws ProblemError keychain-locked, storage-failed: a new key is not kept then; and as `openAround` does
 */
export async function openAccountKey<T>(
  from: AccountKeyDependencies,
  openAround: (key: AccountKey) => Promise<T>,
): Promise<T> {
  const { opened, log } = from
  const { file, newKey } = opened ?? nobody
  const key = createAccountKey({ ...from, file, keys: keysWithSessions(from.vault) })
  if (newKey === null) return openAround(key)
  await key.use(newKey.key, newKey.keepIn)
  try {
    return await openAround(key)
  } catch (error) {
    const stays = (what: string) => (refusal: unknown) => {
      log.error(`${what} of an account that could not be opened is still kept`, refusal)
    }
    // Off the disk also where its key cannot be forgotten: the next start would open it, and fail with it.
    await file.write(null).catch(stays('The entry'))
    await key.forget().catch(stays('The key'))
    throw error
  }
}

/** API keys as the account uses them: a session goes with the key that it was opened by. */
function keysWithSessions({ apiKeys, sessionKeys }: AccountKeyDependencies['vault']): ApiKeyStore {
  return {
    read: (...key) => apiKeys.read(...key),
    keep: (...key) => apiKeys.keep(...key),
    forget: async (keyId) => {
      await apiKeys.forget(keyId)
      await sessionKeys.forget(keyId)
    },
  }
}
