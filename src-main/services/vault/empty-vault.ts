import { assertNever } from '../../domain/base/assert-never.ts'
import type { Emptied } from '../../domain/diagnostics/reset.ts'
import { entryOf as apiKeyOf } from './keys/api-keys.ts'
import { entryOf as hostPasswordOf } from './keys/host-passwords.ts'
import { entryOf as instanceKeyOf } from './keys/instance-keys.ts'
import type { Keychain } from './keychain/keychain.ts'
import { entryOf as passphraseOf } from './keys/passphrases.ts'
import { entry as sealEntry } from './keys/seal.ts'
import { entryOf as sessionOf } from './keys/session-keys.ts'
import { entryOf as sshKeyOf } from './keys/ssh-key.ts'
import { openIndexedKeychain, type KeychainDependencies } from './open-vault.ts'
import { isKnown, withKnown, type IndexEntry, type VaultIndexFile } from './vault-index.ts'

/**
 * Takes all that Slipway keeps out of the keychain, and then off its list, before anything of it is used. What a newer
 * Slipway keeps there stays, and stays on the list.
 *
 * @throws ProblemError storage-failed
 */
export async function emptyVault({ file, ...from }: KeychainDependencies): Promise<Emptied> {
  const unreadable: string[] = []
  const opened = await openIndexedKeychain({
    ...from,
    file: (name) => {
      const place = file(name)
      const onNotice: typeof place.onNotice = (notice) => {
        if (notice.kind === 'unreadable') unreadable.push(notice.keptAs)
        place.onNotice(notice)
      }
      return { ...place, onNotice }
    },
  })
  const [keptAs] = unreadable
  // An empty list would say that nothing is left.
  if (keptAs !== undefined) return { kind: 'index-unreadable', keptAs }
  if (opened.isNewer) return { kind: 'secrets-of-newer' }
  if (!(await forgetAll(opened))) return { kind: 'keychain-closed' }
  return { kind: opened.index.read().entries.length > 0 ? 'secrets-of-newer' : 'emptied' }
}

/**
 * What has been taken out is off the list only when all of it has: a second call begins again.
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
      return apiKeyOf(entry.keyId)
    case 'session-key':
      return sessionOf(entry.keyId)
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
