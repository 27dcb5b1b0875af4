import type { Stats } from 'node:fs'
import {
  chmod,
  chown,
  constants,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  statfs,
  utimes,
  type FileHandle,
} from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { foldedName, whyNotAFileName, type NameRules } from '../../domain/files/file-name.ts'
import type { ChosenPlace, FileEntry } from '../../domain/files/transfer.ts'
import { localFailure, TransferFailure } from './failure.ts'
import type { FileAttributes, FileReader, FileTree, FileWriter } from './file-tree.ts'

/** Each costs a way to another thread and back. What a crash leaves has its gaps near the end. */
const writesAhead = 8

/** The latest time that a Date takes (ECMA-262, section 21.4.1.1); a file's may be beyond. */
const latestTimeMs = 8.64e15

export interface LocalTreeOptions {
  /** Relative paths count from here. */
  readonly homeFolder: string
  /** As Node names it. */
  readonly platform: string
  /** Permission bits that nothing gets that is made here, as the process has it (umask(2)). */
  readonly umask: number
  /** Who uses this computer, where files have an owner; `null` where nobody tells. */
  readonly user?: ReturnType<typeof ownUser>
  /** Moves a file or folder into the system's trash. */
  readonly trash: (path: string) => Promise<void>
}

/** This computer's files. */
export function createLocalTree({
  homeFolder,
  platform,
  umask,
  user = null,
  trash,
}: LocalTreeOptions): FileTree {
  const rules: NameRules = platform === 'win32' ? 'win32' : 'posix'
  /** What of a mode is taken over, as for whatever else is made here; `null` on systems without. */
  const allowedMode = rules === 'posix' ? 0o777 & ~umask : null

  const entryOf = (name: string, stats: Stats): FileEntry => ({
    name,
    kind: kindOf(stats),
    size: stats.size,
    modifiedAt: Math.abs(stats.mtimeMs) <= latestTimeMs ? stats.mtimeMs : null,
    mode: allowedMode === null ? null : stats.mode & 0o777,
  })
  const find = (path: string): Promise<FileEntry | null> =>
    told(path, async () => {
      const stats = await lstat(path).catch(nothingThere)
      return stats && entryOf(basename(path), stats)
    })
  const listed = (path: string): Promise<FileEntry | null> =>
    told(path, async () => {
      const stats = await lstat(path).catch(nothingThere)
      if (stats === null || allowedMode === null) return stats && entryOf(basename(path), stats)
      const special = stats.mode & 0o7000
      const owner = user?.id === stats.uid ? user.name : `${stats.uid}:${stats.gid}`
      return { ...entryOf(basename(path), stats), owner, ...(special !== 0 && { special }) }
    })

  return {
    side: 'local',
    mostWritesAhead: () => writesAhead,
    nameKey: platform === 'win32' || platform === 'darwin' ? foldedName : (name) => name,
    join,
    whyUnusable: (name) => whyNotAFileName(name, rules),
    resolve: (path) => told(path, () => realpath(resolve(homeFolder, path))),
    list: (folder) =>
      told(folder, async () => {
        const names = await readdir(folder)
        const entries = await Promise.all(names.map((name) => listed(join(folder, name))))
        return entries.filter((entry) => entry !== null)
      }),
    find,
    openToRead: (path) =>
      told(path, async () =>
        reader(path, await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))),
      ),
    openToWrite: (path, _size, must) =>
      told(path, async () => {
        const isNew = must === 'be-new' ? constants.O_EXCL : 0
        const create = must === 'exist' ? 0 : constants.O_CREAT | isNew
        const flags = constants.O_WRONLY | create | (constants.O_NOFOLLOW ?? 0)
        const handle = await open(path, flags, 0o600)
        return writer(path, handle, (await handle.stat()).size, allowedMode)
      }),
    rename: (from, to, replace) => told(to, () => (replace ? rename(from, to) : renameUnlessTaken(from, to))),
    removeFile: (path) => told(path, () => rm(path, { force: true })),
    remove: (path) => told(path, () => trash(path)),
    removeEmptyFolder: (path) => told(path, () => rmdir(path)),
    makeFolder: (path) => told(path, () => mkdir(path)),
    setAttributes: (path, { mode, modifiedAt }) =>
      told(path, async () => {
        if (mode !== null && allowedMode !== null) await chmod(path, mode & allowedMode)
        if (modifiedAt !== null) await utimes(path, modifiedAt / 1_000, modifiedAt / 1_000)
      }),
    ownerOf: (path) =>
      told(path, async () => {
        const { uid, gid } = await lstat(path)
        return rules === 'posix' ? { user: uid, group: gid } : null
      }),
    setOwner: (path, { user, group }) => told(path, () => chown(path, user, group)),
    freeBytes: (folder) =>
      told(folder, async () => {
        const { bavail, bsize } = await statfs(folder)
        return bavail * bsize
      }),
  }
}

function reader(path: string, handle: FileHandle): FileReader {
  return {
    read: (offset, into) =>
      told(path, async () => {
        let filled = 0
        while (filled < into.length) {
          const { bytesRead } = await handle.read(into, filled, into.length - filled, offset + filled)
          if (bytesRead === 0) break
          filled += bytesRead
        }
        return filled
      }),
    look: () =>
      told(path, async () => {
        const { size, mtimeMs } = await handle.stat()
        return { size, modifiedAt: mtimeMs }
      }),
    close: () => told(path, () => handle.close()),
  }
}

function writer(path: string, handle: FileHandle, size: number, allowedMode: number | null): FileWriter {
  return {
    size,
    writesAhead: () => writesAhead,
    write: (offset, bytes) =>
      told(path, async () => {
        let written = 0
        while (written < bytes.length)
          written += (await handle.write(bytes, written, bytes.length - written, offset + written))
            .bytesWritten
      }),
    finish: (finalSize, { mode, modifiedAt }: FileAttributes) =>
      told(path, async () => {
        if (size > finalSize) await handle.truncate(finalSize)
        if (mode !== null && allowedMode !== null) await handle.chmod(mode & allowedMode)
        if (modifiedAt !== null) await handle.utimes(modifiedAt / 1_000, modifiedAt / 1_000)
        await handle.sync()
        await handle.close()
      }),
    close: () => told(path, () => handle.close()),
  }
}

/** A link fails when the name is taken, in one step; a rename would replace what came in between. */
async function renameUnlessTaken(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    // Sticks and network drives: a look before is the best there is.
    if ((await lstat(to).catch(nothingThere)) !== null)
      throw new TransferFailure({ kind: 'appeared', side: 'local', path: to })
    return rename(from, to)
  }
  await rm(from)
}

/** Who runs this process, for {@link LocalTreeOptions}; `null` on systems without such numbers, and where it has no name. */
export function ownUser(): { readonly id: number; readonly name: string } | null {
  try {
    const { uid, username } = userInfo()
    return uid < 0 ? null : { id: uid, name: username }
  } catch {
    // A container may run as a number that has no name: then the number is shown.
    return null
  }
}

/** Paths by the folders that they are in: each is a transfer of its own. A root has no name, and is left out. */
export function placesOf(paths: readonly string[]): readonly ChosenPlace[] {
  const byFolder = Map.groupBy(
    paths.filter((path) => basename(path) !== ''),
    (path) => dirname(path),
  )
  return [...byFolder].map(([from, inside]) => ({ from, names: inside.map((path) => basename(path)) }))
}

function isWithoutLinks(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(String(error.code))
}

function kindOf(stats: Stats): FileEntry['kind'] {
  if (stats.isSymbolicLink()) return 'link'
  if (stats.isDirectory()) return 'folder'
  return stats.isFile() ? 'file' : 'other'
}

function nothingThere(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
    return null
  throw error
}

async function told<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const failure = localFailure(path, error)
    if (failure.problem.kind !== 'disk-full') throw failure
    const free = await statfs(dirname(path)).catch(() => null)
    const freeBytes = free && free.bavail * free.bsize
    throw new TransferFailure({ ...failure.problem, freeBytes }, { cause: error })
  }
}
