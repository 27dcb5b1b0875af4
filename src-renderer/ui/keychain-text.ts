import { assertNever } from '#domain/assert-never.ts'
import type { KeychainState } from '#domain/keychain-state.ts'
import type { Tone } from './tone.ts'

interface KeychainText {
  readonly tone: Tone
  readonly icon: string
  readonly word: string
  readonly title: string
  readonly text: string
}

/** Tells how secrets are kept; `null` while main has not looked yet. */
export function keychainText(state: KeychainState | null): KeychainText {
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
        text: 'Secrets can be neither read nor kept. Unlock it in your system’s keychain or password app, then check again.',
      }
    case 'unavailable':
      return {
        tone: 'warning',
        icon: 'i-lucide-key-round',
        word: 'None',
        title: 'There is no keychain',
        text: 'Secrets are kept in memory until you quit, and never written to disk. Start your system’s keychain service and check again to keep them.',
      }
    default:
      return assertNever(state)
  }
}
