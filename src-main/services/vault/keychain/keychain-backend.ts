/**
 * One place of the operating system that keeps secrets by name. A call may take for ever (the system may be
 * asking its user for a password), and a `null` does not tell a missing entry from a closed keychain:
 * `keychain.ts` makes reliable answers of it.
 */
export interface KeychainBackend {
  readonly get: (account: string) => Promise<string | null>
  /** @throws KeychainLocked when the keychain is closed */
  readonly set: (account: string, value: string) => Promise<void>
  /** Whether there was something to delete. */
  readonly delete: (account: string) => Promise<boolean>
}

/** The keychain exists and is closed: nothing can be put into it before it is unlocked. */
export class KeychainLocked extends Error {
  override readonly name = 'KeychainLocked'
}

/** The way to the keychain has ended, and another one may lead to it: a call that met its end may be done again. */
export class KeychainOutlived extends Error {
  override readonly name = 'KeychainOutlived'
}
