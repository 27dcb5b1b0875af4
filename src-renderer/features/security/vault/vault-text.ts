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
  return `${parts.join(' and ')} ${verb} to other accounts. Switch to them to see these; an export has all.`
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
      title: 'The service has not confirmed this secret yet. Go on with setting it up, or remove it.',
    })
  if (state === 'orphan')
    badges.push({
      tone: 'neutral',
      label: 'No longer used',
      title: 'The service has no such method any more. It is kept until you remove it.',
    })
  if (keptIn === 'memory') badges.push(memoryBadge)
  return badges
}

const memoryBadge: Badge = {
  tone: 'warning',
  label: 'In memory only',
  title: 'It is gone when you quit. Save to keychain, or save it elsewhere before.',
}

export function troubleText(trouble: SecretTrouble): string {
  switch (trouble) {
    case 'locked':
      return 'The keychain is locked'
    case 'missing':
      return 'Gone from the keychain'
    case 'unavailable':
      return 'The keychain cannot be reached'
  }
}

/** What becomes of the code. How a keychain is opened stands above, once for all. */
export function troubleAdvice(trouble: SecretTrouble): string {
  switch (trouble) {
    case 'locked':
      return 'The code comes back by itself once it is open.'
    case 'missing':
      return 'Another program has removed it. Import it again from an export, or set the method up anew.'
    case 'unavailable':
      return 'Nothing is lost: the code comes back once it runs.'
  }
}

/** What is to be known about a set of backup codes before it is relied on. */
export function setBadges(
  { standing, saved, keptIn }: Pick<BackupSetView, 'standing' | 'saved' | 'keptIn'>,
  isInUse: boolean,
): readonly Badge[] {
  const badges: Badge[] = []
  if (standing === 'current' && isInUse)
    badges.push({ tone: 'good', label: 'In use', title: 'The service takes these.' })
  if (standing === 'current' && !isInUse)
    badges.push({
      tone: 'neutral',
      label: 'Older',
      title: 'Codes are taken from a newer set of this account. These may be void.',
    })
  if (standing === 'uncertain')
    badges.push({
      tone: 'warning',
      label: 'Uncertain',
      title: 'New codes were asked for and the reply was lost: these may be void. Make new ones to be sure.',
    })
  if (standing === 'outdated')
    badges.push({
      tone: 'neutral',
      label: 'Replaced',
      title: 'The service has newer codes; it does not take these any more.',
    })
  if (standing !== 'outdated' && isInUse && (saved === null || saved === 'declined'))
    badges.push({
      tone: 'warning',
      label: 'Only on this computer',
      title: 'When this computer is lost, so are they. Save them to a file elsewhere, or print them.',
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
export function countMismatch({ standing, unused, maybeUsed, serviceCount }: BackupSetView): string | null {
  if (standing === 'outdated' || serviceCount === null) return null
  if (serviceCount >= unused && serviceCount <= unused + maybeUsed) return null
  return `The service counts ${serviceCount}. Some may have been used elsewhere.`
}

export const codeStateText: Readonly<Record<BackupCodeState, string>> = {
  unused: 'Unused',
  'maybe-used': 'Maybe used',
  used: 'Used',
}
