import { z } from 'zod'
import type { FileEntry } from '../../domain/files/transfer.ts'
import { emptyAnswerBytes, entryCost } from './limits.ts'
import { OddAnswer } from './remote-answers.ts'
import { boundedName } from './shortened.ts'

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

/** @throws OddAnswer */
export function entryFrom(name: string, answer: unknown): FileEntry {
  const parsed = attributes.safeParse(answer)
  // A handle or a piece of a file is an object, too.
  if (!parsed.success || ArrayBuffer.isView(answer) || Array.isArray(answer))
    throw new OddAnswer('without a file’s size, kind, and time')
  return entryOf(name, parsed.data)
}

/** A part of a folder's entries, and how many bytes of names it took. @throws OddAnswer */
export function entriesFrom(answer: unknown): {
  readonly entries: readonly FileEntry[]
  readonly bytes: number
} {
  const parsed = named.safeParse(answer)
  if (!parsed.success) throw new OddAnswer('without names')
  return {
    entries: parsed.data
      .filter(({ filename }) => filename !== '.' && filename !== '..')
      .map(({ filename, attrs }) => entryOf(boundedName(filename), attrs)),
    bytes: parsed.data.reduce(
      (sum, { filename }) => sum + Buffer.byteLength(filename) + entryCost,
      parsed.data.length === 0 ? emptyAnswerBytes : 0,
    ),
  }
}

function entryOf(name: string, { mode, size, mtime }: z.infer<typeof attributes>): FileEntry {
  return {
    name,
    kind: mode === undefined ? 'other' : (kinds[mode & kindMask] ?? 'other'),
    size: size ?? 0,
    modifiedAt: mtime === undefined ? null : mtime * 1_000,
    mode: mode === undefined ? null : mode & 0o777,
  }
}
