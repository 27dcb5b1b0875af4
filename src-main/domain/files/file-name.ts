import { z } from 'zod'
import { visibleText } from '../fields/field-format.ts'

/** Whose rules a name has to keep, as Node names them (`process.platform`); `null` for POSIX's alone. */
export type NameRules = 'win32' | 'posix'

const longestBytes = 255
const reservedOnWindows = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/** What is wrong with the name of a file: `windows-…` only where Windows' rules hold. */
export const nameFault = z.enum([
  'empty',
  'dots',
  'path',
  'control-characters',
  'not-utf8',
  'not-unicode',
  'too-long',
  'windows-characters',
  'windows-ending',
  'windows-device',
])
export type NameFault = z.infer<typeof nameFault>

/**
 * Why a name that came from a listing cannot be used as the name of one file, or `null` when it can. Servers
 * send whatever they like: a name that is a path would be written somewhere else.
 */
export function whyNotAFileName(name: string, rules: NameRules): NameFault | null {
  if (name === '') return 'empty'
  if (name === '.' || name === '..') return 'dots'
  if (name.includes('/')) return 'path'
  if (hasControlCharacter(name)) return 'control-characters'
  // What a decoder puts in place of bytes that are no UTF-8: the real name is lost.
  if (name.includes('\uFFFD')) return 'not-utf8'
  if (!name.isWellFormed()) return 'not-unicode'
  if (new TextEncoder().encode(name).length > longestBytes) return 'too-long'
  return rules === 'win32' ? whyNotOnWindows(name) : null
}

function whyNotOnWindows(name: string): NameFault | null {
  if (name.includes('\\')) return 'path'
  // A colon would name a stream of another file.
  if (/[<>:"|?*]/.test(name)) return 'windows-characters'
  if (/[. ]$/.test(name)) return 'windows-ending'
  return reservedOnWindows.test(name) ? 'windows-device' : null
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
