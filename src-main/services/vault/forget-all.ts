import { assertNever } from '../../domain/base/assert-never.ts'
import { entryOf as apiKeyOf } from './keys/api-keys.ts'
import { entryOf as hostPasswordOf } from './keys/host-passwords.ts'
import { entryOf as instanceKeyOf } from './keys/instance-keys.ts'
import type { Keychain } from './keychain/keychain.ts'
import { entryOf as passphraseOf } from './keys/passphrases.ts'
import { entry as sealEntry } from './keys/seal.ts'
import { entryOf as sessionOf } from './keys/session-keys.ts'
import { entryOf as sshKeyOf } from './keys/ssh-key.ts'
import { isKnown, withKnown, type IndexEntry, type VaultIndexFile } from './vault-index.ts'

/**
 * Takes all that Slipway keeps out of the keychain, and then off its list. What has been taken out is off the list
 * only when all of it has: a second call begins again. What a newer Slipway keeps there stays, and stays on the list.
 *
 * @returns `false` when the keychain could not be reached before the end
 * @throws ProblemError storage-failed
 */
export async function forgetAll({
  keychain,
  index,
}: {
  readonly keychain: Pick<Keychain, 'remove'>
  readonly index: VaultIndexFile
}): Promise<boolean> {
  for (const name of [...index.read().entries.filter(isKnown).map(nameOf), sealEntry]) {
    const answer = await keychain.remove(name)
    if (answer.kind !== 'removed') return false
  }
  await index.write(withKnown(index.read(), []))
  return true
}

function nameOf(entry: IndexEntry): string {
  switch (entry.kind) {
    case 'api-key':
      return apiKeyOf(entry.accountId)
    case 'session-key':
      return sessionOf(entry.accountId)
    case 'instance-key':
      return instanceKeyOf(entry.owner, entry.instanceId)
    case 'passphrase':
      return passphraseOf(entry.path)
    case 'host-password':
      return hostPasswordOf(entry)
    case 'ssh-key':
      return sshKeyOf(entry.id)
    case 'totp':
      return `totp/${entry.listing.id}`
    case 'backup-codes':
      return `backup/${entry.listing.id}`
    default:
      return assertNever(entry)
  }
}
