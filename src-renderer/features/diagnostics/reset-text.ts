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
    lost: 'The window’s position, open terminals, their splits, and their output.',
  },
  preferences: {
    title: 'Settings',
    lost: 'Everything in Settings, columns, the last search, and your choice of identity files. The files themselves stay.',
  },
  caches: {
    title: 'Cached lists',
    lost: 'What was last seen of instances, offers, templates, cloud connections, and the account for when you’re offline, and the comparison of this computer’s clock. Slipway makes them again.',
  },
  'known-hosts': {
    title: 'Host keys',
    lost: 'Which hosts you trust. Slipway asks again when it next connects: compare the fingerprints then.',
  },
  account: {
    title: 'Everything stored for this account',
    lost: 'Auto-stop rules, so no instance is stopped or destroyed automatically; saved searches, favorites, labels, drafts, port forwards, unfinished 2FA changes, copies of instances’ files for your own editor, also with changes that aren’t uploaded, what is known of backup codes whose reply was lost, and the journals that find a rental whose reply was lost. The account stays connected, and you’re still charged for its instances.',
  },
  secrets: {
    title: 'Secrets in the keychain, and all accounts',
    lost: 'API keys, the SSH key, one-time passwords, backup codes, instance keys, passphrases, and host passwords of all accounts; crash dumps, which may contain some of them. Without another copy, you may lose access to the account and to hosts that accept only this SSH key. Export the codes first.',
  },
}

/** What no reset touches. */
export const keptText =
  'A reset never touches the service (you’re still charged for your instances), files in your own folders, ~/.ssh, and the log. Secrets stay unless you select them.'

/** Why a part was not reset, and what to do. */
export function failedResetText({ part, why }: FailedReset): string {
  const { title } = resetTexts[part]
  switch (why.kind) {
    case 'keychain-closed':
      return `“${title}”: Slipway couldn’t open the keychain, so some secrets and the accounts are still there. Unlock or start the keychain, then reset again.`
    case 'index-unreadable':
      return `“${title}”: Slipway can’t read its list of keychain entries, so they stay there. The list is now ${why.keptAs}. Delete Slipway’s entries in the keychain’s own app, then reset again to remove the accounts.`
    case 'secrets-of-newer':
      return `“${title}”: a newer Slipway stored secrets in the keychain that this version doesn’t know. They and the accounts are still there; all other secrets are deleted. Install that version again, and reset there.`
    case 'not-deleted':
      return `“${title}”: Slipway couldn’t delete a file; the log says which. Close the program that uses the file, then reset again.`
    case 'not-begun':
      return `“${title}”: nothing was reset, because Slipway can’t change ${why.file}, or closed each time before the reset finished. Delete that file, then reset again.`
    default:
      return assertNever(why)
  }
}
