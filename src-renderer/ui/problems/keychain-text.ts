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
  /** While secrets cannot be kept: what goes on, and what has to wait. */
  readonly meanwhile?: { readonly works: string; readonly waits: string }
}

/** Where its own user opens it, on each system. */
const unlockText: Readonly<Record<DesktopSystem, string>> = {
  linux:
    'Unlock it where your desktop keeps passwords: “Passwords and Keys” in GNOME, the wallet manager in KDE, or KeePassXC.',
  mac: 'Unlock the login keychain in Keychain Access, and let Slipway use it when macOS asks.',
  windows: 'Sign in to Windows again: its Credential Manager opens with your account.',
}

/** What has to run or to be allowed before there is one. */
const startText: Readonly<Record<DesktopSystem, string>> = {
  linux:
    'Start a password service (gnome-keyring, KDE’s wallet, or KeePassXC with its secret service) in this desktop session.',
  mac: 'See in Keychain Access whether there is a login keychain, and let Slipway use it when macOS asks.',
  windows: 'Start the service “Credential Manager” in Windows’ Services.',
}

export function unlockAdvice(system: DesktopSystem = desktopSystem): string {
  return unlockText[system]
}

export function startAdvice(system: DesktopSystem = desktopSystem): string {
  return startText[system]
}

/** Tells how secrets are kept; `null` while main has not looked yet. */
export function keychainText(
  state: KeychainState | null,
  system: DesktopSystem = desktopSystem,
): KeychainText {
  if (state === null)
    return {
      tone: 'neutral',
      icon: 'i-lucide-key-round',
      word: 'Not known yet',
      title: 'Looking for the keychain',
      text: 'Slipway is asking your system where secrets are kept.',
    }
  switch (state.kind) {
    case 'available':
      return {
        tone: 'good',
        icon: 'i-lucide-key-round',
        word: 'Available',
        title: 'The keychain is open',
        text: 'API keys and the SSH key are kept in your system’s keychain, and nowhere else.',
      }
    case 'locked':
      return {
        tone: 'warning',
        icon: 'i-lucide-lock',
        word: 'Locked',
        title: 'The keychain is locked',
        text: `What is in it can be neither read nor changed, and nothing of it is lost. ${unlockText[system]} What needs no secret works meanwhile, and new secrets may stay in memory for this run.`,
        meanwhile: {
          works: 'What was opened before it was locked: the account, terminals, forwards, guards.',
          waits:
            'Codes, keys, passphrases, and host passwords that Slipway hasn’t read since it started, and saving new ones.',
        },
      }
    case 'unavailable':
      return {
        tone: 'warning',
        icon: 'i-lucide-key-round',
        word: 'None',
        title: 'There is no keychain',
        text: `Secrets are kept in memory until you quit, and never written to disk; everything else works. ${startText[system]} Then check again.`,
        meanwhile: {
          works: 'Everything, until you quit.',
          waits: 'Keeping secrets for the next start: the API key and the SSH key are asked for again then.',
        },
      }
    default:
      return assertNever(state)
  }
}
