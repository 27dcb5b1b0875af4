import type { PlainFault } from '#domain/base/input-fault.ts'

/** What is wrong with a field, and another step than checking it where that says more. */
export interface Words {
  /** A sentence, or one for each field that needs its own. */
  readonly text: string | { readonly [field: string]: string; readonly otherwise: string }
  readonly nextStep?: string
}

/** Faults of files that are imported. */
type FileFault = Extract<
  PlainFault,
  | 'wrong-passphrase'
  | 'wrong-password'
  | 'too-costly'
  | 'argon2'
  | 'account-restricted'
  | 'newer'
  | 'other-file'
  | 'damaged'
  | 'lists-full'
>

/** What is wrong with a file that is imported. */
export const fileFaultWords: Readonly<Record<FileFault, Words>> = {
  'wrong-passphrase': {
    text: 'Couldn’t open the export: the passphrase is wrong, or the file was changed.',
  },
  'wrong-password': {
    text: 'Couldn’t open the file: the password is wrong, or the file was changed.',
    nextStep: 'Check the password, then try again.',
  },
  'too-costly': {
    text: 'Trying a password on this file would take too much memory or time. No app’s usual settings ask for that much.',
    nextStep: 'Export again with the usual settings, or without encryption.',
  },
  argon2: {
    text: 'Slipway can’t open Bitwarden exports encrypted with Argon2id.',
    nextStep:
      'In Bitwarden, export as .json without encryption, and delete the file afterward. Or set the KDF algorithm to PBKDF2 and export again: this changes how your whole account is unlocked.',
  },
  'account-restricted': {
    text: 'Only the Bitwarden account that made this export can open it.',
    nextStep:
      'In Bitwarden, export again with the type “Password protected”, or as .json without encryption.',
  },
  newer: {
    text: {
      text: 'This file’s format is newer than this version of Slipway can read.',
      otherwise: 'A newer Slipway saved this file.',
    },
    nextStep: 'Update Slipway, then try again.',
  },
  'other-file': {
    text: {
      text: 'Slipway doesn’t recognize this. It imports its own exports, those of Google Authenticator, Aegis, 2FAS, and Bitwarden, and lists of otpauth addresses.',
      otherwise: 'This isn’t a Slipway settings file.',
    },
    nextStep: 'Choose another file.',
  },
  damaged: {
    text: {
      text: 'This export is damaged: parts are missing or don’t fit.',
      otherwise: 'This settings file is damaged: some of its values don’t fit.',
    },
    nextStep: 'Export again, then import that file.',
  },
  'lists-full': {
    text: 'Together with yours, the file has more favorites, blocks, or saved searches than Slipway saves. Remove some of yours.',
    nextStep: 'Then try again.',
  },
}
