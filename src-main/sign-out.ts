import { ownerOf } from './domain/base/account-identity.ts'
import { ProblemError } from './domain/base/problem.ts'
import type { ConnectedAccount } from './services/accounts/connected-account.ts'
import type { SshConfig } from './services/ssh/config/ssh-config.ts'
import type { Vault } from './services/vault/vault.ts'

/**
 * Takes what belongs to the account out of the keychain and out of ~/.ssh/config.
 *
 * @throws ProblemError no-account; keychain-locked, keychain-unavailable, storage-failed: it is connected as before then
 */
export async function signOut({
  account,
  vault,
  sshConfig,
}: {
  readonly account: Pick<ConnectedAccount, 'state' | 'forget'>
  readonly vault: Pick<Vault, 'instanceKeys'>
  readonly sshConfig: Pick<SshConfig, 'state' | 'setIncluded'>
}): Promise<void> {
  const { value } = account.state
  if (value.kind === 'none') throw new ProblemError({ kind: 'no-account' })
  await vault.instanceKeys.forgetAll(ownerOf(value))
  // The file that the line includes goes with the account's folder.
  if (sshConfig.state.value.included === true) await sshConfig.setIncluded(false)
  await account.forget()
}
