import { randomBytes } from 'node:crypto'
import type { AccountState } from '../domain/accounts/account.ts'
import type { Clock } from '../domain/base/clock.ts'
import type { Latest } from '../domain/base/latest.ts'
import type { Log } from '../domain/base/log.ts'
import type { Preferences } from '../domain/settings/settings.ts'
import type { HiddenBy, VaultAccount } from '../domain/vault/vault-view.ts'
import { CodeWatch } from '../services/vault/codes/code-watch.ts'
import { exportCost } from '../services/vault/export-file.ts'
import { SecretClipboard, type Clipboard } from '../services/vault/secret-clipboard.ts'
import { SecretScreen } from '../services/vault/secret-screen.ts'
import type { TrueClock } from '../services/vault/codes/true-clock.ts'
import { VaultDesk, type OtherAccounts } from '../services/vault/vault-desk.ts'
import { VaultTransfer } from '../services/vault/vault-transfer.ts'
import type { Vault } from '../services/vault/vault.ts'

/** What of the desktop keeps shown secrets safe. */
export interface SecretSurroundings {
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

export interface AuthenticatorOptions {
  readonly vault: Vault
  readonly trueClock: TrueClock
  readonly preferences: Latest<Preferences>
  readonly surroundings: { readonly secrets: SecretSurroundings; readonly clock: Clock }
  readonly log: Log
}

/** The vault as the window sees it. */
export interface Authenticator {
  readonly services: {
    readonly vault: Pick<Vault, 'totp' | 'backupCodes'>
    readonly screen: SecretScreen
    readonly transfer: VaultTransfer
  }
  /** The vault as one account's page looks at it. */
  readonly deskOf: (account: Latest<AccountState>, others: OtherAccounts) => VaultDesk
  readonly hide: (by: HiddenBy) => void
  /** The window has the keyboard. */
  readonly focused: () => void
  readonly follow: (signal: AbortSignal) => Promise<void>
  /** Takes out of the clipboard what is still in it. */
  readonly dispose: () => Promise<void>
}

/** The part of the composition root that puts together what shows secrets, and hides them again. */
export function composeAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { vault, trueClock, preferences, log } = options
  const { secrets, clock } = options.surroundings
  const screen = new SecretScreen({
    clock,
    protect: secrets.protectScreen,
    idleMs: secrets.idleMs,
    isLocked: secrets.isLocked,
    hideAfterMs: () => preferences.value.hideSecretsAfterMinutes * 60_000,
  })
  const clipboard = new SecretClipboard({ clipboard: secrets.clipboard, clock, log })
  const codes = new CodeWatch({
    entries: vault.totpList.listed,
    maker: (id) => vault.totp.maker(id),
    keychain: vault.state,
    screen,
    clock,
    trueClock,
  })
  const { totp, totpList, backupCodes, backupList } = vault
  const { chooseFile } = secrets
  const transfer = new VaultTransfer({
    totp,
    totpList,
    backupCodes,
    backupList,
    chooseFile,
    now: clock.now,
    randomBytes,
    cost: exportCost,
  })
  return {
    services: { vault, screen, transfer },
    deskOf: (account, others) =>
      new VaultDesk({
        vault,
        codes,
        screen,
        clipboard,
        trueClock,
        account: () => ownerIn(account.value),
        others,
        chooseFile: secrets.chooseFile,
      }),
    hide: (by) => screen.hide(by),
    focused: () => void clipboard.focused(),
    follow: (signal) => screen.follow(signal),
    dispose: () => clipboard.clear(),
  }
}

/** Whose things in the vault a connected account's are. */
export function ownerIn(state: AccountState): VaultAccount | null {
  if (state.kind === 'none') return null
  const { serviceAddress, userId } = state
  return { serviceAddress, userId }
}
