import { qualifiedUserId, type AccountIdentity } from '../../domain/base/account-identity.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { newerFile } from '../../domain/base/file-version.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { MachineTimes } from '../../domain/vault/clock-offset.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { LiveCodes } from './codes/live-codes.ts'
import { rememberedClock, CorrectedClock } from './codes/corrected-clock.ts'
import { exportCost } from './export-file.ts'
import type { KeychainBackend } from './keychain/keychain-backend.ts'
import { createKeychain, type Keychain } from './keychain/keychain.ts'
import { accountInstanceKeys } from './keys/instance-keys.ts'
import { Seal } from './keys/seal.ts'
import type { KeyPair } from './keys/ssh-key.ts'
import { SecretClipboard, type Clipboard } from './secret-clipboard.ts'
import { SecretVisibility } from './secret-visibility.ts'
import { AccountVault, type OtherAccounts } from './account-vault.ts'
import { vaultIndexFile, type VaultIndexFile } from './vault-index.ts'
import { VaultImportExport } from './import-export.ts'
import { createVault } from './vault.ts'

/** What of the desktop keeps shown secrets safe. */
export interface SecretProtection {
  readonly clipboard: Clipboard
  /** Keeps the window out of screenshots, or no longer; `null` where the system has no such thing. */
  readonly protectScreen: ((isOn: boolean) => void) | null
  /** Since when nobody has touched the computer, in ms. */
  readonly idleMs: () => number
  /** Whether the screen is locked now, on a system that does not tell when it gets locked. */
  readonly isLocked: () => boolean
  /** Asks where to write a file; `null` when nothing was chosen. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
}

/** Where secrets are: the keychain, and the list of what is in it. */
export interface KeychainDependencies {
  readonly keychain: KeychainBackend
  readonly file: Folder['file']
  readonly clock: Clock
}

export interface VaultDependencies extends KeychainDependencies {
  readonly secrets: SecretProtection
  readonly preferences: Pick<Latest<Preferences>, 'value'>
  /** All clocks of the machine at one moment. */
  readonly machineTimes: () => MachineTimes
  readonly makeKeyPair: (comment: string) => KeyPair
  readonly randomBytes: (count: number) => Buffer
  readonly randomId: () => string
  /** Told of secrets, so that they can be kept out of the log. */
  readonly remember: (secret: string) => void
  readonly log: Log
}

export type VaultService = Awaited<ReturnType<typeof openVault>>

/** The system may be asking its user for a password meanwhile. */
const keychainDeadlineMs = 30_000
/** How long the window waits for a keychain that is slow to answer; it is told the answer later. */
const keychainPatienceMs = 2_000

/**
 * Everything secret: the keychain, the list of what is in it, the clock that its codes go by, and what shows secrets
 * and hides them again.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openVault(from: VaultDependencies, lifetime: Lifetime) {
  const { file, secrets, preferences, machineTimes, randomBytes, clock, log } = from
  const { keychain, index } = await openIndexedKeychain(from)
  const correctedClock = new CorrectedClock({
    times: machineTimes,
    file: await openJsonFile({ ...file('clock.json'), schema: rememberedClock, fallback: null }),
    log,
  })
  const vault = createVault({ ...from, keychain, index, correctedClock })
  const ended = (): undefined => undefined
  const checked = Promise.race([
    vault.check().then(ended),
    clock.sleep(keychainPatienceMs, lifetime.signal).catch(ended),
  ])

  const screen = new SecretVisibility({
    ...secrets,
    clock,
    protect: secrets.protectScreen,
    hideAfterMs: () => preferences.value.hideSecretsAfterMinutes * 60_000,
  })
  const clipboard = new SecretClipboard({ clipboard: secrets.clipboard, clock, log })
  const codes = new LiveCodes({
    entries: vault.totpList.listed,
    maker: (id) => vault.totp.maker(id),
    keychain: vault.state,
    screen,
    clock,
    correctedClock,
  })
  const { chooseFile } = secrets
  const transfer = new VaultImportExport({
    ...vault,
    chooseFile,
    now: clock.now,
    randomBytes,
    cost: exportCost,
  })

  lifetime.follow((signal) => screen.follow(signal))
  lifetime.follow((signal) => vault.sessionKeys.follow(signal, log))
  lifetime.onEnd(() => clipboard.clear())
  lifetime.onWake(() => correctedClock.drop())
  return {
    ...vault,
    keychain,
    correctedClock,
    /** The keychain has said how it is, or is slow to: what reads no secret is opened meanwhile. */
    checked,
    seal: new Seal({ keychain, randomBytes }),
    screen,
    transfer,
    /** The window has the keyboard: what only a program that has it can do is done now. */
    focused: () => void clipboard.focused(),
    /** @param account throws `no-account` where there is none */
    instanceKeysOf: (account: () => AccountIdentity) =>
      accountInstanceKeys(vault.instanceKeys, () => qualifiedUserId(account())),
    /** The vault as one account's page sees it. */
    accountVaultOf: (account: () => AccountIdentity | null, others: OtherAccounts) =>
      new AccountVault({ vault, codes, screen, clipboard, correctedClock, account, others, chooseFile }),
  }
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openIndexedKeychain({ keychain: backend, file, clock }: KeychainDependencies): Promise<{
  readonly keychain: Keychain
  readonly index: VaultIndexFile
  /** What only a newer Slipway can tell is in the keychain: nothing in it is changed. */
  readonly isNewer: boolean
}> {
  const place = file('vault-index.json')
  const index = await openJsonFile({ ...place, ...vaultIndexFile })
  const keychain = createKeychain({ backend, clock, deadlineMs: keychainDeadlineMs })
  return {
    keychain: index.isNewer ? unchanged(keychain, place.path) : keychain,
    isNewer: index.isNewer,
    index: { read: () => index.value, write: (next) => index.write(next) },
  }
}

/** The same keychain, of which nothing is changed: what is in it, the index at `path` would tell. */
function unchanged(keychain: Keychain, path: string): Keychain {
  const refuse = (): Promise<never> => Promise.reject(newerFile(path))
  return { ...keychain, write: refuse, remove: refuse }
}
