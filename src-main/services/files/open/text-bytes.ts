import { createHash } from 'node:crypto'
import { longestText } from '../../../domain/files/opened-file.ts'

/** A file's bytes as text that says all of them; why they aren't, otherwise. */
export type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: 'binary' | 'not-utf8' }

/**
 * Takes bytes for text by what they are, and not by the file's name: UTF-8 without a NUL, for no text has one. Its byte
 * order mark and line ends stay, so that `Buffer.from(text)` gives the same bytes again.
 */
export function readText(bytes: Buffer): ReadText {
  if (bytes.includes(0)) return { kind: 'refused', why: 'binary' }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'refused', why: 'not-utf8' }
    throw error
  }
}

/** What can be edited as text; `null` for what is none, or too long. */
export function editableText(bytes: Buffer): string | null {
  const read = bytes.length > longestText ? null : readText(bytes)
  return read?.kind === 'text' ? read.text : null
}

/** Equal for equal bytes alone. @param size of the file, when only its beginning is at hand */
export function versionOf(bytes: Buffer, size = bytes.length): string {
  return `${createHash('sha256').update(bytes).digest('hex')}-${size}`
}
