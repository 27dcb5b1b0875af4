import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { composeAuthenticator, type Authenticator } from './authenticator.ts'
import { Farewell } from '../services/workbench/farewell.ts'
import type { IsOwn } from '../domain/base/file-version.ts'
import { Latest } from '../domain/base/latest.ts'
import { PageVisibility } from '../services/accounts/page-visibility.ts'
import { Redactor } from '../domain/base/redact.ts'
import type { FailedReset } from '../domain/diagnostics/reset.ts'
import type { ExternalPrograms } from '../services/instances/links.ts'
import type { ShowNotification } from '../services/notifications/notifier.ts'
import { emptyVault, openVault } from './open-vault.ts'
import type { JsonFilePlace, StorageNotice } from '../services/storage/json-file.ts'
import { openCrashDumps, type CrashDumps } from '../services/diagnostics/crash-dumps.ts'
import { openLogFile, takeLogAlong, type LogFile } from '../services/storage/log-file.ts'
import { openPreferences, type PreferencesFile } from '../services/settings/preferences.ts'
import { doPendingReset } from '../services/diagnostics/reset.ts'
import { ChosenFiles } from '../services/ssh/keys/chosen-files.ts'
import { LockedKeys } from '../services/ssh/keys/locked-keys.ts'
import type { Surroundings } from './dependencies.ts'
import type { Keychain } from '../services/vault/keychain/keychain.ts'
import { Seal } from '../services/vault/keys/seal.ts'
import type { TrueClock } from '../services/vault/codes/true-clock.ts'
import type { Vault } from '../services/vault/vault.ts'

/** A folder that files are kept in. */
export interface Folder {
  readonly file: (name: string) => JsonFilePlace
  /** Files in it that could not be read in this run, or are a newer Slipway's. */
  readonly notices: Latest<readonly StorageNotice[]>
}

/** What is not of one account: it is this computer's and its user's. */
export interface Shared {
  readonly surroundings: Surroundings
  readonly log: LogFile
  /** Tells the redactor of a secret. */
  readonly remember: (secret: string) => void
  /** Tells it of one for as long as it is under way: until the answer is called. */
  readonly hide: (secret: string) => () => void
  /** The same text without any secret. */
  readonly redact: (text: string) => string
  readonly crashDumps: CrashDumps
  /** Parts of a reset that was asked for in the run before and could not be done. */
  readonly failedReset: readonly FailedReset[]
  /** A file of all accounts. */
  readonly file: Folder['file']
  /** @param isOwn see `JsonFileOptions` */
  readonly openFolder: (folder: string, isOwn?: IsOwn) => Folder
  /** About files of all accounts. */
  readonly storageNotices: Folder['notices']
  readonly preferences: PreferencesFile
  readonly keychain: Keychain
  readonly vault: Vault
  readonly trueClock: TrueClock
  readonly seal: Seal
  readonly chosenFiles: ChosenFiles
  /** The app's own, in OpenSSH's format. */
  readonly knownHostsFile: string
  readonly programs: ExternalPrograms
  readonly showNotification: ShowNotification
  readonly authenticator: Authenticator
  /** For the pages of all accounts. */
  readonly farewell: Farewell
  readonly pageVisibility: PageVisibility
}

/**
 * The part of the composition root that puts together what all accounts use.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function composeShared(surroundings: Surroundings, signal: AbortSignal): Promise<Shared> {
  const { clock, randomId, userData, logFolder } = surroundings
  const redactor = new Redactor()
  const remember = (secret: string): void => redactor.remember(secret)
  const log = openLogFile({ folder: logFolder, redactor, randomId })
  await takeLogAlong({ from: join(userData, 'logs'), to: logFolder, log })
  const crashDumps = openCrashDumps({ folder: surroundings.crashDumpFolder, clock, log })

  const openFolder = (folder: string, isOwn: IsOwn = () => false): Folder => {
    const notices: Folder['notices'] = new Latest([])
    const onNotice = (notice: StorageNotice): void => {
      notices.set([...notices.value, notice])
      log.warn(`${notice.file}: ${notice.detail}`)
    }
    return { notices, file: (name) => ({ path: join(folder, name), isOwn, clock, onNotice }) }
  }
  const { file, notices: storageNotices } = openFolder(userData)
  const failedReset = await doPendingReset({
    userData,
    removeSecrets: () => emptyVault({ surroundings, file }),
    removeCrashDumps: crashDumps.deleteAll,
    log,
    onNotice: file('').onNotice,
  })
  const preferences = await openPreferences(file('preferences.json'))
  const { keychain, vault, trueClock } = await openVault({ surroundings, file, remember, log, signal })
  return {
    surroundings,
    log,
    crashDumps,
    farewell: new Farewell(),
    pageVisibility: new PageVisibility(),
    remember,
    hide: (secret) => redactor.hide(secret),
    redact: (text) => redactor.redact(text),
    failedReset,
    file,
    openFolder,
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
    showNotification: surroundings.notifications(log),
    authenticator: composeAuthenticator({
      vault,
      trueClock,
      preferences: preferences.latest,
      surroundings,
      log,
    }),
  }
}
