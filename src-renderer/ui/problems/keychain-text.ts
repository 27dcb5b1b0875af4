import { assertNever } from '#domain/base/assert-never.ts'
import type { KeychainState } from '#domain/vault/keychain-state.ts'
import { desktopSystem, type DesktopSystem } from '../platform.ts'
import type { Tone } from '../tone.ts'

interface KeychainText {
  readonly tone: Tone
  readonly icon: string
  readonly word: string
  readonly title: string
  readonly text: string
  /** While secrets can't be saved: what still works, and what has to wait. */
  readonly meanwhile?: { readonly works: string; readonly waits: string }
}

/** Where its own user opens it, on each system. */
const unlockText: Readonly<Record<DesktopSystem, string>> = {
  linux:
    'Unlock it in your desktop’s password app: Passwords and Keys (GNOME), KWalletManager (KDE), or KeePassXC.',
  mac: 'Unlock the login keychain in Keychain Access, and allow Slipway to use it when macOS asks.',
  windows: 'Sign in to Windows again. This opens its Credential Manager.',
}

/** What has to run or be allowed before there is a keychain. */
const startText: Readonly<Record<DesktopSystem, string>> = {
  linux: 'Start gnome-keyring, KWallet, or KeePassXC with its secret service in this desktop session.',
  mac: 'Check Keychain Access for a login keychain, and allow Slipway to use it when macOS asks.',
  windows: 'Start “Credential Manager” in the Services app of Windows.',
}

export function unlockAdvice(system: DesktopSystem = desktopSystem): string {
  return unlockText[system]
}

export function startAdvice(system: DesktopSystem = desktopSystem): string {
  return startText[system]
}

/** Says how secrets are stored; `null` while main hasn't checked yet. */
export function keychainText(
  state: KeychainState | null,
  system: DesktopSystem = desktopSystem,
): KeychainText {
  if (state === null)
    return {
      tone: 'neutral',
      icon: 'i-lucide-key-round',
      word: 'Checking…',
      title: 'Checking the keychain',
      text: 'Slipway is checking where your system stores secrets.',
    }
  switch (state.kind) {
    case 'available':
      return {
        tone: 'good',
        icon: 'i-lucide-key-round',
        word: 'Available',
        title: 'The keychain is available',
        text: 'Slipway stores API keys and its SSH key only in your system’s keychain.',
      }
    case 'locked':
      return {
        tone: 'warning',
        icon: 'i-lucide-lock',
        word: 'Locked',
        title: 'The keychain is locked',
        text: `Slipway can’t read or save secrets. Nothing is lost. ${unlockText[system]} You can store new secrets in memory until you quit.`,
        meanwhile: {
          works: 'The account, terminals, port forwards, and auto-stop rules that were open before.',
          waits:
            'Codes, keys, passphrases, and host passwords that Slipway hasn’t read since startup, and saving new ones.',
        },
      }
    case 'unavailable':
      return {
        tone: 'warning',
        icon: 'i-lucide-key-round',
        word: 'Not found',
        title: 'No keychain found',
        text: `Slipway stores secrets in memory until you quit, never on disk. Everything else works. ${startText[system]} Then check again.`,
        meanwhile: {
          works: 'Everything, until you quit.',
          waits: 'Saving secrets: enter the API key and the SSH key again at the next startup.',
        },
      }
    default:
      return assertNever(state)
  }
}
