import { assertNever } from '#domain/base/assert-never.ts'
import type { IdentityFileState } from '#domain/ssh/ssh-key.ts'
import { keyFaultText } from '#ui/problems/key-fault-text.ts'
import type { Mark } from '#ui/tone.ts'

const passphraseWords = {
  asked: 'Used; asks for its passphrase',
  kept: 'Used; passphrase in the keychain',
  given: 'Used; open until you quit',
} as const

/** Why a passphrase is asked for again. */
export const passphraseTrouble = {
  wrong: 'This passphrase doesn’t open the key.',
  'kept-is-wrong': 'The passphrase in the keychain no longer opens the key.',
} as const

/** What becomes of a key whose passphrase isn't remembered. */
export function rememberPassphraseText(canUseKeychain: boolean): string {
  return canUseKeychain
    ? 'Otherwise, the key stays open until you quit.'
    : 'The keychain isn’t available, so the key stays open until you quit.'
}

/** What a private key file is good for, in a few words. */
export function identityFileMark(state: IdentityFileState['state']): Mark {
  switch (state.kind) {
    case 'ready':
      return { tone: 'good', label: 'Used for logins' }
    case 'locked':
      return { tone: 'good', label: passphraseWords[state.passphrase] }
    case 'unusable':
      return { tone: 'warning', label: `Not usable: ${keyFaultText(state.why)}` }
    default:
      return assertNever(state)
  }
}
