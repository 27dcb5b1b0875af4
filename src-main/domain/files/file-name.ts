import { visibleText } from '../fields/field-format.ts'

/** Whose rules a name has to keep, as Node names them (`process.platform`); `null` for POSIX's alone. */
export type NameRules = 'win32' | 'posix'

const longestBytes = 255
const reservedOnWindows = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/**
 * Why a name that came from a listing cannot be used as the name of one file, or `null` when it can. Servers
 * send whatever they like: a name that is a path would be written somewhere else.
 */
export function whyNotAFileName(name: string, rules: NameRules): string | null {
  if (name === '') return 'it has no name'
  if (name === '.' || name === '..') return 'its name is a way through folders'
  if (name.includes('/')) return 'its name is a path'
  if (hasControlCharacter(name)) return 'its name has control characters'
  // What a decoder puts in place of bytes that are no UTF-8: the real name is lost.
  if (name.includes('\uFFFD')) return 'its name is not UTF-8'
  if (!name.isWellFormed()) return 'its name is not Unicode'
  if (new TextEncoder().encode(name).length > longestBytes) return 'its name is too long'
  return rules === 'win32' ? whyNotOnWindows(name) : null
}

function whyNotOnWindows(name: string): string | null {
  if (name.includes('\\')) return 'its name is a path'
  // A colon would name a stream of another file.
  if (/[<>:"|?*]/.test(name)) return 'Windows does not allow its name'
  if (/[. ]$/.test(name)) return 'Windows would change its name'
  return reservedOnWindows.test(name) ? 'its name stands for a device' : null
}

function hasControlCharacter(name: string): boolean {
  return /\p{Cc}/u.test(name)
}

/** A name or path as it may be shown: in one line, and nothing in it reorders or hides text on the screen. */
export function shownName(name: string): string {
  return visibleText(name).replace(/[\n\t\p{Zl}\p{Zp}]/gu, '�')
}

/** Names that the same folder could take for one: file systems differ in case and in Unicode's forms. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** `report (2).txt`: the name of another copy, with the number before the extension. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const at = dot > 0 ? dot : name.length
  return `${name.slice(0, at)} (${number})${name.slice(at)}`
}
