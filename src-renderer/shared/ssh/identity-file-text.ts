import { assertNever } from '#domain/base/assert-never.ts'
import type { IdentityFileState } from '#domain/ssh/ssh-key.ts'
import type { Mark } from '#ui/tone.ts'

const passphraseWords = {
  asked: 'Used; asks for its passphrase',
  kept: 'Used; passphrase in the keychain',
  given: 'Used; open until you quit',
} as const

/** What a private key file is good for, in a few words. */
export function identityFileMark(state: IdentityFileState['state']): Mark {
  switch (state.kind) {
    case 'ready':
      return { tone: 'good', label: 'Used for logins' }
    case 'locked':
      return { tone: 'good', label: passphraseWords[state.passphrase] }
    case 'unusable':
      return { tone: 'warning', label: `Not usable: ${state.why}` }
    default:
      return assertNever(state)
  }
}
