import { chmod, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { ProblemError } from '../../domain/base/problem.ts'

/** Runs what writes `file`, and turns its failure into what the user is told. */
export async function orStorageFailed<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof ProblemError) throw cause
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ProblemError({ kind: 'storage-failed', file, detail }, { cause })
  }
}

/** Makes the folder, for its owner only, if it is not there. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/**
 * Writes a file as a whole: whatever happens, it has the old text or the new one.
 *
 * @param options.fsync whether the text is on the disk when it resolves; otherwise a power cut may take it back
 * @param options.mode its permissions; its owner's only, unless it's a file of the user's own
 * @param options.isStillTo asked when all of the text is written, right before it takes the place of the old one
 * @returns whether it did
 */
export async function replaceFile(
  path: string,
  text: string | Buffer,
  { fsync = true, mode = 0o600, isStillTo = () => Promise.resolve(true) }: ReplaceOptions = {},
): Promise<boolean> {
  const isNotTo = new Error('It isn’t to be replaced any more')
  // write-file-atomic itself writes once, and takes what a full disk left out for written.
  const options = {
    ...{ mode, fsync: false },
    tmpfileCreated: async (temporary: string): Promise<void> => {
      // Also what nobody may write in the end: it gets its mode afterwards.
      await chmod(temporary, 0o600)
      await writeFile(temporary, text, { flag: 'r+', flush: fsync })
      if (!(await isStillTo())) throw isNotTo
    },
  }
  try {
    await writeFileAtomic(path, '', options)
    return true
  } catch (error) {
    if (error === isNotTo) return false
    throw error
  }
}

interface ReplaceOptions {
  readonly fsync?: boolean
  readonly mode?: number
  readonly isStillTo?: () => Promise<boolean>
}

/** Deletes the files of a folder but those with these names. @throws ProblemError storage-failed */
export function deleteOthers(folder: string, names: ReadonlySet<string>): Promise<void> {
  return orStorageFailed(folder, async () => {
    const others = ((await ifThere(readdir(folder))) ?? []).filter((name) => !names.has(name))
    for (const name of others) await rm(join(folder, name), { force: true })
  })
}

/** A file that was created or renamed is there after a power cut only once its folder is on the disk, too. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows has no such call, and does not need it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What is read of a file or a folder; `null` where there is none. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Whether a call of the file system failed because a file or a folder is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
