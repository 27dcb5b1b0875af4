import { z } from 'zod'
import type { FileEntry } from '../../domain/transfer.ts'

/** Attributes as ssh2 gives them; a server may leave out any, and may answer with something else altogether. */
const attributes = z.object({
  mode: z.number().int().optional(),
  size: z.number().nonnegative().optional(),
  mtime: z.number().optional(),
})

const named = z.array(z.object({ filename: z.string(), attrs: attributes }))

/** Bits of the mode that say what a file is (POSIX's S_IFMT). */
const kindMask = 0o170000
const kinds: Readonly<Record<number, FileEntry['kind']>> = {
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'link',
}

/** @throws when the answer is not one to this question */
export function entryFrom(name: string, answer: unknown): FileEntry {
  const { mode, size, mtime } = attributes.parse(answer)
  return {
    name,
    kind: mode === undefined ? 'other' : (kinds[mode & kindMask] ?? 'other'),
    size: size ?? 0,
    modifiedAt: mtime === undefined ? null : mtime * 1_000,
    mode: mode === undefined ? null : mode & 0o777,
  }
}

/** @throws as {@link entryFrom} */
export function entriesFrom(answer: unknown): FileEntry[] {
  return named
    .parse(answer)
    .filter(({ filename }) => filename !== '.' && filename !== '..')
    .map(({ filename, attrs }) => entryFrom(filename, attrs))
}
