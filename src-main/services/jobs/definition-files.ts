import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { isSameJson } from '../../domain/base/json-value.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import {
  definitionFileText,
  readDefinitionFile,
  type DefinitionContent,
  type DefinitionFault,
  type ReadDefinitionFile,
} from '../../domain/jobs/definition-file.ts'
import { definitionName, longestDefinition } from '../../domain/jobs/job-definition.ts'
import { ifThere, orStorageFailed, replaceFile } from '../storage/disk.ts'

/** Of a file that is read, in bytes: no UTF-16 unit takes more than three of them. */
const mostBytes = 3 * longestDefinition

/** What a definition file says, and the project's folder: the one that it's in. */
export type ReadDefinition = { readonly folder: string } & (
  | ({ readonly kind: 'read'; readonly unknown: readonly string[] } & DefinitionContent)
  | { readonly kind: 'none' }
  | { readonly kind: 'faulty'; readonly fault: DefinitionFault; readonly path: string }
)

export interface DefinitionFiles {
  /** Asks for the project's folder; `null` when the user leaves it. */
  readonly chooseFolder: () => Promise<ReadDefinition | null>
  /** Asks for a definition file, whatever its name; `null` when the user leaves it. */
  readonly openDefinition: () => Promise<ReadDefinition | null>
  /** @throws ProblemError invalid-input for a folder that isn't absolute */
  readonly readDefinition: (folder: string) => Promise<ReadDefinition>
  /**
   * Writes slipway.json, and nothing else, into the folder.
   *
   * @returns `exists`: another one is there, and stays
   * @throws ProblemError storage-failed; invalid-input for what couldn't be read again, or a folder that isn't absolute
   */
  readonly saveDefinition: (
    order: DefinitionContent & { readonly folder: string; readonly replaces: boolean },
  ) => Promise<'saved' | 'exists'>
}

export interface DefinitionFilesOptions {
  /** Lets the user choose one folder, or one definition file, of this computer; `null` when the user leaves it. */
  readonly choose: (kind: 'folder' | 'definition') => Promise<string | null>
  /** Permission bits that a new file doesn't get (umask(2)). */
  readonly umask: number
}

/** Opens and saves the file beside the code that a team shares a job by. Nothing starts by opening one. */
export function createDefinitionFiles({ choose, umask }: DefinitionFilesOptions): DefinitionFiles {
  const readIn = (folder: string): Promise<ReadDefinition> => readAt(join(absolute(folder), definitionName))
  return {
    chooseFolder: async () => {
      const folder = await choose('folder')
      return folder === null ? null : readIn(folder)
    },
    openDefinition: async () => {
      const path = await choose('definition')
      return path === null ? null : readAt(path)
    },
    readDefinition: async (folder) => readIn(folder),
    saveDefinition: async ({ folder, replaces, definition, rent }) => {
      const path = join(absolute(folder), definitionName)
      const content = { definition, rent }
      const there = await contentAt(path)
      if (there === 'unreadable')
        return orStorageFailed(path, () =>
          Promise.reject(new Error('What is there is no text file that can be read')),
        )
      if (there?.ok === true && isSameJson(there.content, content) && there.unknown.length === 0)
        return 'saved'
      if (there !== null && !replaces) return 'exists'
      const text = definitionFileText(content, there?.ok === true ? there.schema : null)
      // Such as filters that are nested too deep: it would be a file that nobody can open.
      if (!readDefinitionFile(text).ok) throw invalidInput('definition', { code: 'wrong-value' })
      // Others of the project may read it, as they may the rest of it.
      await orStorageFailed(path, async () => {
        const before = await ifThere(lstat(path))
        await replaceFile(path, text, { mode: before === null ? 0o666 & ~umask : before.mode & 0o777 })
      })
      return 'saved'
    },
  }
}

function absolute(folder: string): string {
  if (!isAbsolute(folder) || folder.includes('\0')) throw invalidInput('folder', { code: 'wrong-form' })
  return folder
}

async function readAt(path: string): Promise<ReadDefinition> {
  const folder = dirname(path)
  const read = await contentAt(path)
  if (read === null) return { kind: 'none', folder }
  if (read === 'unreadable') return { kind: 'faulty', folder, fault: 'unreadable', path: '' }
  if (!read.ok) return { kind: 'faulty', folder, fault: read.fault, path: read.path }
  return { kind: 'read', folder, ...read.content, unknown: read.unknown }
}

/** `null`: nothing is there. */
async function contentAt(path: string): Promise<ReadDefinitionFile | 'unreadable' | null> {
  try {
    const bytes = await ifThere(bytesAt(path))
    if (bytes === null) return null
    if (bytes.length > mostBytes) return { ok: false, fault: 'too-long', path: '' }
    return readDefinitionFile(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // No permission, no regular file, no UTF-8: whichever it is, it's told as one, and nothing is written over it.
    return 'unreadable'
  }
}

/**
 * The start of a file that a stranger may have put there: no link, which may lead out of the project, no pipe, which
 * would never end.
 */
async function bytesAt(path: string): Promise<Uint8Array> {
  if (!(await lstat(path)).isFile()) throw new Error('No regular file')
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(path, flags)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error('No regular file')
    const bytes = new Uint8Array(Math.min(stats.size, mostBytes + 1))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } finally {
    await handle.close()
  }
}
