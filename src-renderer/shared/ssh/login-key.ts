import type { SshAccess } from '#domain/ssh/ssh-key.ts'

/** Whether there is anything to log in with: the key in the keychain, an identity file, or an agent. */
export function hasLoginKey({ vaultKey, identityFiles, agent }: SshAccess): boolean {
  const hasFile = identityFiles.some(({ state }) => state.kind !== 'unusable')
  return vaultKey !== null || hasFile || agent === 'available'
}
