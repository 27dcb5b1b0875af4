import type { SshAccess } from '#domain/ssh-key.ts'

/** Whether there is anything to log in with: the key in the keychain, a key file or an agent. */
export function hasWayIn({ vaultKey, identityFile, agent }: SshAccess): boolean {
  return vaultKey !== null || identityFile !== null || agent === 'available'
}
