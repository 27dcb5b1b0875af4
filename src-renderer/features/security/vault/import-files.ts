import { isAddressList, longestImport } from '#domain/vault/vault-import.ts'
import { importTexts, oneAtATimeText, type FileLines } from './import-text.ts'
import { readQrPicture } from './qr-picture.ts'

export interface ReadFiles {
  /** The text of each file or QR code, one after the other. */
  readonly text: string
  /** Those that the text is of, in their order. */
  readonly files: readonly FileLines[]
  /** A sentence for the user; `null` when all could be read. */
  readonly error: string | null
}

/**
 * Exports, and pictures of QR codes. Several only where each is nothing but addresses: anything else would be read as a part
 * of the first, or not at all.
 *
 * @returns `null` once the signal is aborted: what they hold is wanted no more
 */
export async function readImportFiles(files: Iterable<File>, signal: AbortSignal): Promise<ReadFiles | null> {
  const read: { readonly name: string; readonly text: string }[] = []
  const errors: string[] = []
  let length = 0
  for (const file of files) {
    // The search for a QR code takes up to seconds, and the window shows nothing meanwhile.
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return null
    try {
      // Before it's read: a file may have any size.
      if (!isPicture(file) && file.size > longestImport) throw new Error(importTexts.tooLarge)
      const text = isPicture(file) ? await readQrPicture(file) : await file.text()
      if (isPicture(file) && !isAddressList(text)) throw new Error(importTexts.noAddress)
      length += text.length + 1
      if (length > longestImport) throw new Error(importTexts.tooLarge)
      read.push({ name: file.name, text })
    } catch (error) {
      errors.push(`${file.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (signal.aborted) return null
  const alone = read.filter(({ text }) => !isAddressList(text)).map(({ name }) => name)
  if (read.length > 1 && alone.length > 0)
    return { text: '', files: [], error: [...errors, oneAtATimeText(alone)].join(' ') }
  return {
    text: read.map(({ text }) => text).join('\n'),
    files: read.map(({ name, text }) => ({ name, lines: text.split('\n').length })),
    error: errors.length === 0 ? null : errors.join(' '),
  }
}

function isPicture(file: File): boolean {
  return file.type.startsWith('image/')
}
