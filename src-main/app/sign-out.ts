import { ownerOf } from '../domain/base/account-identity.ts'
import type { ConnectedAccount } from '../services/accounts/connected-account.ts'
import type { SshConfig } from '../services/ssh/config/ssh-config.ts'
import type { Vault } from '../services/vault/vault.ts'

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
  readonly account: Pick<ConnectedAccount, 'identity' | 'forget'>
  readonly vault: Pick<Vault, 'instanceKeys'>
  readonly sshConfig: Pick<SshConfig, 'state' | 'setIncluded'>
}): Promise<void> {
  await vault.instanceKeys.forgetAll(ownerOf(account.identity()))
  // The file that the line includes goes with the account's folder.
  if (sshConfig.state.value.included === true) await sshConfig.setIncluded(false)
  await account.forget()
}
