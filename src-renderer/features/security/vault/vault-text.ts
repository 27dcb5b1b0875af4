import { counted, plural } from '#domain/base/plural.ts'
import type {
  BackupCodeState,
  BackupSetView,
  SavedBy,
  SecretTrouble,
  VaultAccount,
  VaultEntry,
  VaultView,
} from '#domain/vault/vault-view.ts'
import type { Tone } from '#ui/tone.ts'

export interface Badge {
  readonly tone: Tone
  readonly label: string
  /** What it means, on hover and for screen readers. */
  readonly title: string
}

export function accountText({ serviceAddress, userId }: VaultAccount): string {
  const account = typeof userId === 'number' ? `account ${userId}` : 'an account with no known ID'
  return `${account} at ${serviceAddress.replace(/^https?:\/\//, '')}`
}

/** What of the vault only the pages of other accounts show; `null`: nothing. */
export function elsewhereText({ entries, backupSets }: VaultView['elsewhere']): string | null {
  const parts: string[] = []
  if (entries > 0) parts.push(counted(entries, 'more one-time password'))
  if (backupSets > 0) parts.push(counted(backupSets, 'more set of backup codes', 'more sets of backup codes'))
  if (parts.length === 0) return null
  const verb = plural(entries + backupSets, 'belongs', 'belong')
  return `${parts.join(' and ')} ${verb} to other accounts. Switch accounts to see them. An export includes them.`
}

/** What an export holds. */
export function contentText(held: { readonly entries: number; readonly backupSets: number }): string {
  const passwords = counted(held.entries, 'one-time password')
  return held.backupSets === 0 ? passwords : `${passwords} and ${backupSetsText(held.backupSets)}`
}

export function backupSetsText(count: number): string {
  return counted(count, 'set of backup codes', 'sets of backup codes')
}

/** What is special about an entry; nothing for one that is in use and kept. */
export function entryBadges({ state, keptIn }: Pick<VaultEntry, 'state' | 'keptIn'>): readonly Badge[] {
  const badges: Badge[] = []
  if (state === 'pending')
    badges.push({
      tone: 'busy',
      label: 'Not confirmed',
      title: 'The service hasn’t confirmed this secret yet. Continue the setup, or remove the entry.',
    })
  if (state === 'orphan')
    badges.push({
      tone: 'neutral',
      label: 'No longer used',
      title: 'The service no longer has this method. The entry stays until you remove it.',
    })
  if (keptIn === 'memory') badges.push(memoryBadge)
  return badges
}

const memoryBadge: Badge = {
  tone: 'warning',
  label: 'In memory only',
  title: 'Lost when you quit. Before that, save to the keychain or elsewhere.',
}

export function troubleText(trouble: SecretTrouble): string {
  switch (trouble) {
    case 'locked':
      return 'Keychain locked'
    case 'missing':
      return 'Missing from the keychain'
    case 'unavailable':
      return 'Keychain not available'
  }
}

/** What becomes of the code. How a keychain is opened stands above, once for all. */
export function troubleAdvice(trouble: SecretTrouble): string {
  switch (trouble) {
    case 'locked':
      return 'The code returns when you unlock the keychain.'
    case 'missing':
      return 'Another program removed the secret. Import it from an export, or set up the method again.'
    case 'unavailable':
      return 'Nothing is lost. The code returns when the keychain is available.'
  }
}

/** What is to be known about a set of backup codes before it is relied on. */
export function setBadges(
  { standing, saved, keptIn }: Pick<BackupSetView, 'standing' | 'saved' | 'keptIn'>,
  isInUse: boolean,
): readonly Badge[] {
  const badges: Badge[] = []
  if (standing === 'current' && isInUse)
    badges.push({ tone: 'good', label: 'In use', title: 'The service accepts these codes.' })
  if (standing === 'current' && !isInUse)
    badges.push({
      tone: 'neutral',
      label: 'Older',
      title: 'Slipway uses a newer set of this account. These codes may no longer work.',
    })
  if (standing === 'uncertain')
    badges.push({
      tone: 'warning',
      label: 'Uncertain',
      title:
        'New codes were requested, but the reply was lost. These may no longer work. Create new codes to be sure.',
    })
  if (standing === 'outdated')
    badges.push({
      tone: 'neutral',
      label: 'Replaced',
      title: 'The service has newer codes and no longer accepts these.',
    })
  if (standing !== 'outdated' && isInUse && (saved === null || saved === 'declined'))
    badges.push({
      tone: 'warning',
      label: 'Only on this computer',
      title: 'If you lose this computer, you lose the codes. Save them to a file elsewhere, or print them.',
    })
  if (keptIn === 'memory') badges.push(memoryBadge)
  return badges
}

export function savedText(saved: SavedBy | null): string | null {
  switch (saved) {
    case 'file':
      return 'saved to a file'
    case 'print':
      return 'printed'
    case 'copy':
      return 'copied'
    case 'declined':
    case null:
      return null
  }
}

/** `7 unused · 1 maybe used · 2 used`. */
export function countsText({ unused, maybeUsed, used }: BackupSetView): string {
  const parts = [`${unused} unused`]
  if (maybeUsed > 0) parts.push(`${maybeUsed} maybe used`)
  if (used > 0) parts.push(`${used} used`)
  return parts.join(' · ')
}

/** Says so when the service counts otherwise than the vault; `null` when the two agree or it has not said. */
export function countMismatch({
  standing,
  unused,
  maybeUsed,
  serviceCount,
}: Pick<BackupSetView, 'standing' | 'unused' | 'maybeUsed' | 'serviceCount'>): string | null {
  if (standing === 'outdated' || serviceCount === null) return null
  if (serviceCount >= unused && serviceCount <= unused + maybeUsed) return null
  const why =
    serviceCount > unused + maybeUsed ? 'Some aren’t in the vault.' : 'Some may have been used elsewhere.'
  return `The service counts ${serviceCount} unused. ${why}`
}

export const codeStateText: Readonly<Record<BackupCodeState, string>> = {
  unused: 'Unused',
  'maybe-used': 'Maybe used',
  used: 'Used',
}

export const noEntriesText =
  'Add the secrets of your authenticator app. Slipway generates the codes on this computer, even offline.'

export const usedCodeText = 'Already used. Wait for the next code.'

export const noBackupCodes = 'No backup codes in the vault. They let you sign in if you lose your 2FA method.'

/** Of how exact the codes are. */
export const clockTexts = {
  wrong:
    'Codes in the vault are still correct, because they use the service’s time. Other authenticators on this computer show wrong codes. Set the clock automatically.',
  unchecked: 'Codes use this computer’s clock.',
  neverChecked: 'Codes use this computer’s clock until the service replies.',
} as const

export const vaultRisk =
  'On Windows and Linux, programs that you run can read the keychain. A one-time password stored next to the API key is less safe than one on a phone.'
export const screenshotRisk = 'Slipway can’t block screenshots of codes on this system.'
