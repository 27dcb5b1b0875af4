import { recognizeImport, type RecognizedImport } from '#domain/vault/vault-import.ts'
import type { ImportContent } from '#services/vault/imports/import-content.ts'
import { readImport } from '#services/vault/imports/read-import.ts'

/** Reads a text as the vault does: by what is recognized in it. */
export async function read(text: string, password = ''): Promise<ImportContent> {
  const { source } = recognized(text)
  if (source === 'slipway') throw new Error('a Slipway export')
  return readImport(source, text, password)
}

export function recognized(text: string): RecognizedImport {
  const found = recognizeImport(text)
  if (found === null) throw new Error('nobody’s')
  return found
}

/** What was left out, by reason: the names, or the line of what has none. */
export function leftOut(content: ImportContent): Record<string, readonly (string | number | null)[]> {
  return Object.fromEntries(
    content.leftOut.map(({ why, entries }) => [why, entries.map(({ name, line }) => name || line)]),
  )
}

/** A fault at a field of an import, as `rejects.toMatchObject` takes it. */
export function fault(field: string, code: string) {
  return { problem: { kind: 'invalid-input', field, fault: { code } } }
}
