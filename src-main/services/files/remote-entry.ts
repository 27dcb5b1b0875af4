import { z } from 'zod'
import type { FileEntry } from '../../domain/files/transfer.ts'
import { emptyAnswerBytes, entryCost, longestOwnerLine, longestOwnerName } from './limits.ts'
import { OddAnswer } from './remote-answers.ts'
import { boundedName } from './shortened.ts'

/** Attributes as ssh2 gives them; a server may leave out any, and may answer with something else altogether. */
const attributes = z.object({
  mode: z.number().int().optional(),
  size: z.number().nonnegative().optional(),
  mtime: z.number().optional(),
  uid: z.number().int().optional(),
  gid: z.number().int().optional(),
})

const named = z.array(z.object({ filename: z.string(), longname: z.unknown(), attrs: attributes }))

/** Bits of the mode that say what a file is (POSIX's S_IFMT). */
const kindMask = 0o170000
const specialMask = 0o7000
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
  return withSpecial(entryOf(name, parsed.data), parsed.data)
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
      .map(({ filename, longname, attrs }) =>
        listedOf(entryOf(boundedName(filename), attrs), longname, attrs),
      ),
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

/** What only a listing tells, and is only shown. */
function listedOf(entry: FileEntry, longname: unknown, attrs: z.infer<typeof attributes>): FileEntry {
  const owner = ownerFrom(longname, attrs)
  return withSpecial({ ...entry, ...(owner !== null && { owner }) }, attrs)
}

function withSpecial(entry: FileEntry, { mode = 0 }: z.infer<typeof attributes>): FileEntry {
  const special = mode & specialMask
  return special === 0 ? entry : { ...entry, special }
}

/**
 * Whose an entry is, by names where the server's line for it has them (as `ls -l`, which the protocol only recommends:
 * draft-ietf-secsh-filexfer-02 section 7), else by numbers; `null` when it tells neither.
 */
function ownerFrom(longname: unknown, { uid, gid }: z.infer<typeof attributes>): string | null {
  const line = typeof longname === 'string' ? longname.slice(0, longestOwnerLine) : ''
  const [mode = '', links = '', user = '', group = ''] = line.split(/ +/, 5)
  if (mode.length >= 10 && /^\d+$/.test(links) && isOwnerName(user) && isOwnerName(group))
    return user === group ? user : `${user}:${group}`
  return uid === undefined || gid === undefined ? null : `${uid}:${gid}`
}

/** Without what would hide or reorder text, and not longer than Linux takes (useradd(8)). */
function isOwnerName(name: string): boolean {
  return name.length > 0 && name.length <= longestOwnerName && /^[^\p{C}\p{Z}]+$/u.test(name)
}
