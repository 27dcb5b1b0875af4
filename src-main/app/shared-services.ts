import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Lifetime } from '../domain/base/lifetime.ts'
import { Redactor } from '../domain/base/redact.ts'
import { openCrashDumps } from '../services/diagnostics/crash-dumps.ts'
import { createLicenses } from '../services/diagnostics/licenses.ts'
import { doPendingReset } from '../services/diagnostics/reset.ts'
import { openPreferences } from '../services/settings/preferences.ts'
import { IdentityFiles } from '../services/ssh/keys/identity-files.ts'
import { makeEd25519KeyPair } from '../services/ssh/keys/key-pair.ts'
import { LockedKeys } from '../services/ssh/keys/locked-keys.ts'
import { openFolder } from '../services/storage/folder.ts'
import { openLogFile, takeLogAlong } from '../services/storage/log-file.ts'
import { openBegunUpdate } from '../services/updates/begun-update.ts'
import { emptyVault } from '../services/vault/empty-vault.ts'
import { openVault } from '../services/vault/open-vault.ts'
import { ShutdownNotice } from '../services/workbench/shutdown-notice.ts'
import type { AppDependencies } from './dependencies.ts'

/** What is not of one account: it is this computer's and its user's. */
export type SharedServices = Awaited<ReturnType<typeof openSharedServices>>

/**
 * Opens what all accounts use.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openSharedServices(from: AppDependencies, lifetime: Lifetime) {
  const { keychain, clock, randomId, userData, logFolder, crashDumpFolder } = from
  const redactor = new Redactor()
  const remember = (secret: string): void => redactor.remember(secret)
  const log = openLogFile({ folder: logFolder, redactor, randomId })
  await takeLogAlong({ from: join(userData, 'logs'), to: logFolder, log })
  const crashDumps = openCrashDumps({ folder: crashDumpFolder, clock, log })

  const sharedFolder = openFolder({ path: userData, clock, log })
  const { file } = sharedFolder
  // Before anything is read that it deletes.
  const failedReset = await doPendingReset({
    userData,
    removeSecrets: () => emptyVault({ keychain, file, clock }),
    removeCrashDumps: crashDumps.deleteAll,
    log,
    onNotice: file('').onNotice,
  })
  const preferencesFile = await openPreferences(file('preferences.json'))
  const preferences = preferencesFile.latest
  const begunUpdate = await openBegunUpdate(file('update.json'))
  const vault = await openVault(
    { ...from, file, preferences, makeKeyPair: makeEd25519KeyPair, randomBytes, remember, log },
    lifetime,
  )
  const identityFiles = new IdentityFiles({
    paths: () => preferences.value.identityFiles,
    setPaths: (identityFiles) => preferencesFile.update({ identityFiles }),
    lockedKeys: new LockedKeys({ store: vault.passphrases, log, remember }),
    passphrases: vault.passphrases,
  })

  lifetime.follow((signal) => crashDumps.follow(signal))
  return {
    ...from,
    log,
    /** Tells the redactor of a secret. */
    remember,
    /** Tells it of one for as long as it is under way: until the answer is called. */
    hide: (secret: string) => redactor.hide(secret),
    /** The same text without any secret. */
    redact: (text: string) => redactor.redact(text),
    /** The same of lines, each by itself. */
    redactLines: (text: string) => redactor.redactLines(text),
    crashDumps,
    failedReset,
    licenses: createLicenses(from),
    sharedFolder,
    preferencesFile,
    preferences,
    begunUpdate,
    vault,
    identityFiles,
    /** The app's own, in OpenSSH's format. */
    knownHostsFile: join(userData, 'known_hosts'),
    programs: from.programs(log),
    showNotification: from.notifications(log),
    /** For the pages of all accounts. */
    shutdownNotice: new ShutdownNotice(),
  }
}
