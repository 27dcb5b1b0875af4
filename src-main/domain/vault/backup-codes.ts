import { qualifiedUserId } from '../base/account-identity.ts'
import type { BackupCode, BackupCodeState, BackupSetView, BackupStanding } from './vault-view.ts'

/** The service's codes are `XXXX-XXXX-XXXX` (service API 2.7). */
const shape = /^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/

/**
 * A code as it was typed, as it is sent. One that is all in lower case is put into upper case, and nothing else
 * is changed.
 */
export function normalizeBackupCode(typed: string): string {
  const code = typed.trim()
  return code === code.toLowerCase() ? code.toUpperCase() : code
}

/**
 * Codes from a piece of text, such as a file that was saved; `null` when there is something else in it. Lines that
 * begin with `#` are somebody's notes.
 */
export function parseBackupCodes(text: string): readonly string[] | null {
  const words = text.replaceAll(/^[^\S\n\r\u2028\u2029]*#.*$/gm, '').split(/[\s,;]+/)
  const codes = [...new Set(words.filter((word) => word !== '').map(normalizeBackupCode))]
  return codes.length > 0 && codes.length <= 100 && codes.every((code) => shape.test(code)) ? codes : null
}

/** How many codes are in each state. */
export function countBackupCodes(codes: readonly BackupCode[]): {
  readonly unused: number
  readonly maybeUsed: number
  readonly used: number
} {
  const count = (wanted: BackupCodeState): number => codes.filter(({ state }) => state === wanted).length
  return { unused: count('unused'), maybeUsed: count('maybe-used'), used: count('used') }
}

/** The code to try next: a certain one first. */
export function nextBackupCode(codes: readonly BackupCode[]): string | null {
  const next =
    codes.find(({ state }) => state === 'unused') ?? codes.find(({ state }) => state === 'maybe-used')
  return next?.code ?? null
}

/** What orders sets of one account, and tells which of them is used. */
export type DatedSet = Pick<BackupSetView, 'account' | 'addedAtMs' | 'standing'>

/** The newest first; of two of one time, the one that was listed later. */
export function newestSetsFirst<S extends Pick<DatedSet, 'addedAtMs'>>(sets: readonly S[]): readonly S[] {
  return sets.toReversed().toSorted((a, b) => b.addedAtMs - a.addedAtMs)
}

/** The set that codes of this account are taken from: the newest that the service has not replaced for certain. */
export function setInUse<S extends DatedSet>(sets: readonly S[], account: DatedSet['account']): S | null {
  const owner = qualifiedUserId(account)
  const own = sets.filter((set) => qualifiedUserId(set.account) === owner && set.standing !== 'outdated')
  return newestSetsFirst(own)[0] ?? null
}

export interface KnownCodes {
  readonly standing: BackupStanding
  readonly codes: readonly BackupCode[]
}

/** A set that the service makes has this many codes (service API 2.7). */
const fullSet = 10

/**
 * What the service's count of unused codes says about a set; it was asked for after the last code was used. It
 * never makes a used code good again.
 *
 * - as many as are certain here: those that may be used are used
 * - as many as are certain or may be used: none of those was used
 * - fewer than are certain: some were used elsewhere, and each may be among them
 * - more than can be left: the service has another set by now
 *
 * A set that is not whole (typed from what was left on paper) cannot be compared, except with none.
 */
export function reconcileBackupCodes({ standing, codes }: KnownCodes, count: number): KnownCodes {
  if (standing === 'outdated') return { standing, codes }
  if (count === 0) return { standing, codes: turn(codes, 'used', 'unused', 'maybe-used') }
  if (codes.length < fullSet) return { standing, codes }
  const { unused, maybeUsed, used } = countBackupCodes(codes)
  if (count > unused + maybeUsed) return { standing: 'outdated', codes }
  // Ten again, and there were ten before: these may be the old ones or the new ones.
  if (standing === 'uncertain' && used === 0 && count === fullSet) return { standing, codes }
  return { standing: 'current', codes: settle(codes, count - unused, maybeUsed) }
}

/** @param unusedMaybes how many of the codes that may be used are not; negative when certain ones are gone too */
function settle(
  codes: readonly BackupCode[],
  unusedMaybes: number,
  maybeUsed: number,
): readonly BackupCode[] {
  if (unusedMaybes === maybeUsed) return turn(codes, 'unused', 'maybe-used')
  if (unusedMaybes === 0) return turn(codes, 'used', 'maybe-used')
  return unusedMaybes < 0 ? turn(codes, 'maybe-used', 'unused') : codes
}

function turn(
  codes: readonly BackupCode[],
  to: BackupCodeState,
  ...from: readonly BackupCodeState[]
): readonly BackupCode[] {
  return codes.map((code) => (from.includes(code.state) ? { ...code, state: to } : code))
}
