import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { composeAuthenticator, type Authenticator } from './authenticator.ts'
import { Redactor } from './domain/redact.ts'
import type { ExternalPrograms } from './instances/links.ts'
import { openVault } from './open-vault.ts'
import type { JsonFileOptions, StorageNotice } from './settings/json-file.ts'
import { openLogFile, type LogFile } from './settings/log-file.ts'
import { openPreferences, type PreferencesFile } from './settings/preferences.ts'
import { ChosenFiles } from './ssh/chosen-files.ts'
import { LockedKeys } from './ssh/locked-keys.ts'
import type { Surroundings } from './surroundings.ts'
import type { Keychain } from './vault/keychain.ts'
import { Seal } from './vault/seal.ts'
import type { TrueClock } from './vault/true-clock.ts'
import type { Vault } from './vault/vault.ts'

/** What is not of one account: it is this computer's and its user's. */
export interface Shared {
  readonly surroundings: Surroundings
  readonly log: LogFile
  /** Tells the redactor of a secret. */
  readonly remember: (secret: string) => void
  /** Tells it of one for as long as it is under way: until the answer is called. */
  readonly hide: (secret: string) => () => void
  /** A file in this folder; one that cannot be read is kept aside and told. */
  readonly fileIn: (
    folder: string,
  ) => (name: string) => Pick<JsonFileOptions<unknown>, 'path' | 'clock' | 'onCorrupt'>
  /** Files that could not be read in this run. */
  readonly storageNotices: readonly StorageNotice[]
  readonly preferences: PreferencesFile
  readonly keychain: Keychain
  readonly vault: Vault
  readonly trueClock: TrueClock
  readonly seal: Seal
  readonly chosenFiles: ChosenFiles
  /** The app's own, in OpenSSH's format. */
  readonly knownHostsFile: string
  readonly programs: ExternalPrograms
  readonly authenticator: Authenticator
}

/**
 * The part of the composition root that puts together what all accounts use.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function composeShared(surroundings: Surroundings, signal: AbortSignal): Promise<Shared> {
  const { clock, randomId, userData } = surroundings
  const redactor = new Redactor()
  const remember = (secret: string): void => redactor.remember(secret)
  const log = openLogFile({ folder: join(userData, 'logs'), redactor, randomId })

  const storageNotices: StorageNotice[] = []
  const onCorrupt = (notice: StorageNotice): void => {
    storageNotices.push(notice)
    log.warn(`${notice.file}: ${notice.detail}`)
  }
  const fileIn: Shared['fileIn'] = (folder) => (name) => ({ path: join(folder, name), clock, onCorrupt })
  const file = fileIn(userData)
  const preferences = await openPreferences(file('preferences.json'))
  const { keychain, vault, trueClock } = await openVault({ surroundings, file, remember, log, signal })
  return {
    surroundings,
    log,
    remember,
    hide: (secret) => redactor.hide(secret),
    fileIn,
    storageNotices,
    preferences,
    keychain,
    vault,
    trueClock,
    seal: new Seal({ keychain, randomBytes }),
    chosenFiles: new ChosenFiles({
      paths: () => preferences.latest.value.identityFiles,
      setPaths: (identityFiles) => preferences.update({ identityFiles }),
      lockedKeys: new LockedKeys({ store: vault.passphrases, log, remember }),
      passphrases: vault.passphrases,
    }),
    knownHostsFile: join(userData, 'known_hosts'),
    programs: surroundings.programs(log),
    authenticator: composeAuthenticator({
      vault,
      trueClock,
      preferences: preferences.latest,
      surroundings,
      log,
    }),
  }
}
