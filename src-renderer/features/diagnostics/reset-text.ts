import { assertNever } from '#domain/base/assert-never.ts'
import type { FailedReset, ResetPart } from '#domain/diagnostics/reset.ts'

/** A part of a reset in words. */
export interface ResetText {
  readonly title: string
  /** What is lost, and what that means for money or access. */
  readonly lost: string
}

/** Each part in words. */
export const resetTexts: Readonly<Record<ResetPart, ResetText>> = {
  window: {
    title: 'Window and terminals',
    lost: 'Where the window stood, which terminals were open, how they were split, and what they showed.',
  },
  preferences: {
    title: 'Settings',
    lost: 'Everything on the Settings page, columns, the last search, and which key files you chose. The files themselves stay.',
  },
  caches: {
    title: 'Remembered lists',
    lost: 'What was last seen of instances and the account for when you are offline, and what is known of this computer’s clock. They are made again.',
  },
  'known-hosts': {
    title: 'Host keys',
    lost: 'Which machines you trust. Each asks again at its next connection: compare the fingerprints then.',
  },
  account: {
    title: 'Everything kept for this account',
    lost: 'Guards, so that nothing is stopped or destroyed by itself any more; saved searches, favourites, labels, drafts, forwards, changes of the second factor that are not finished, with what is known of backup codes whose reply was lost, and the journals that find a rental whose reply was lost. The account stays connected, and its machines go on and are charged.',
  },
  secrets: {
    title: 'Secrets in the keychain, and all accounts',
    lost: 'API keys, the SSH key, one-time passwords, backup codes, instance keys, passphrases, and host passwords of all accounts; crash dumps, which may contain some of them. Without another copy, you may lose access to the account and to hosts that accept only this SSH key. Export the codes first.',
  },
}

/** What no reset touches. */
export const keptText =
  'Stays in any case: what is at the service (machines go on and are charged), files that you saved or copied, ~/.ssh, and the log. Secrets stay unless you choose them.'

/** Why a part was not reset, and what to do. */
export function failedResetText({ part, why }: FailedReset): string {
  const { title } = resetTexts[part]
  switch (why.kind) {
    case 'keychain-closed':
      return `“${title}”: the keychain did not open, so secrets are still in it, and the accounts stay. Unlock it, and reset it again.`
    case 'index-unreadable':
      return `“${title}”: the list of what Slipway keeps in the keychain cannot be read, so its entries stay there. It is kept as ${why.keptAs}. Delete the entries of Slipway in the keychain’s own program, and reset it again for the accounts.`
    case 'secrets-of-newer':
      return `“${title}”: a newer Slipway keeps secrets in the keychain that this one doesn’t know. They stay there, and the accounts stay; all other secrets are gone. Install that version again, and reset it there.`
    case 'not-deleted':
      return `“${title}”: a file could not be deleted; the log says which. Close what uses it, and reset it again.`
    case 'not-begun':
      return `“${title}”: nothing was reset, because ${why.file} cannot be changed, or Slipway was ended each time before it was done. Delete that file, and reset it again.`
    default:
      return assertNever(why)
  }
}
