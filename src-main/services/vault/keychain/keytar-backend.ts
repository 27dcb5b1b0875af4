import { type KeychainBackend, KeychainLocked, KeychainOutlived } from './keychain-backend.ts'

/**
 * The operating system's keychain. Where keytar cannot be loaded (on Linux: no libsecret), every call
 * rejects with the reason. `findCredentials` is not among the calls: on a locked collection it ends the process.
 *
 * @param service under which the entries are listed in the system's own keychain viewer
 */
export async function loadKeytar(service: string): Promise<KeychainBackend> {
  try {
    const { default: keytar } = await import('keytar')
    return {
      get: (account) => explained(keytar.getPassword(service, account)),
      set: (account, value) => explained(keytar.setPassword(service, account, value)),
      delete: (account) => explained(keytar.deletePassword(service, account)),
    }
  } catch (cause) {
    const needs = process.platform === 'linux' ? ' It needs libsecret (Debian: libsecret-1-0).' : ''
    const reason = new Error(`The keychain library cannot be loaded.${needs}`, { cause })
    const refuse = (): Promise<never> => Promise.reject(reason)
    return { get: refuse, set: refuse, delete: refuse }
  }
}

/**
 * keytar passes on the system's own words and no code: libsecret and the services behind it ("… in a locked
 * collection", "…Error.IsLocked"), macOS (errSecInteractionNotAllowed, errSecAuthFailed, errSecUserCanceled).
 */
const lockedWords =
  /locked|interaction is not allowed|passphrase you entered is not correct|user canceled the operation/i

/** libsecret goes on asking for the service that it met first, by its connection's name or its session. */
const outlivedWords = /^The name :[\d.]+ was not provided|session wrapping the secret does not exist/i

async function explained<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    if (lockedWords.test(cause.message)) throw new KeychainLocked(cause.message, { cause })
    if (outlivedWords.test(cause.message))
      throw new KeychainOutlived('The keychain service ended or restarted. Restart Slipway to use it.', {
        cause,
      })
    throw cause
  }
}
