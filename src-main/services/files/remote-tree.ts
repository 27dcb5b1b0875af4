import type { SFTPWrapper } from 'ssh2'
import { whyNotAFileName } from '../../domain/files/file-name.ts'
import type { FileEntry, FileSide } from '../../domain/files/transfer.ts'
import { TransferFailure } from './failure.ts'
import type { FileAttributes, FileTree } from './file-tree.ts'
import { mostEntries, mostListedBytes } from './limits.ts'
import { diskFrom, doneFrom, ownerFrom, pathFrom, type Disk } from './remote-answers.ts'
import { entriesFrom, entryFrom } from './remote-entry.ts'
import { removeDeep } from './remove-deep.ts'
import { openRemoteReader, openRemoteWriter, remoteWritesAhead } from './remote-file.ts'
import {
  callExtension,
  ChannelEnded,
  statusCodes,
  statusOf,
  type Callback,
  type Calls,
} from './sftp-calls.ts'
import { shortenedDetail } from './shortened.ts'

/** Less than any write asks for: a disk that has no more is full. */
const tooLittle = 64 * 1024

/** How an instance's paths are made of names. */
export const remoteNames: Pick<FileTree, 'nameKey' | 'join' | 'whyUnusable'> = {
  nameKey: (name) => name,
  join: joined,
  whyUnusable: (name) => whyNotAFileName(name, 'posix'),
}

/**
 * An instance's files, through one SFTP channel (version 3, with OpenSSH's extensions where it has them).
 *
 * @param side what failures say of where they are
 */
export function createRemoteTree(calls: Calls, side: FileSide = 'remote'): FileTree {
  /** Runs what concerns a path, and says of it what went wrong. */
  async function told<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw await failureOf(path, error)
    }
  }

  async function failureOf(path: string, cause: unknown): Promise<Error> {
    if (cause instanceof TransferFailure || cause instanceof ChannelEnded) return cause
    const status = statusOf(cause)
    if (status === statusCodes.noSuchFile)
      return new TransferFailure({ kind: 'missing', side, path }, { cause })
    if (status === statusCodes.permissionDenied)
      return new TransferFailure({ kind: 'denied', side, path }, { cause })
    if (status === statusCodes.failure) {
      // SFTP has no word for a full disk, nor for one that cannot be written to.
      const disk = await diskOf(folderOf(path)).catch(() => null)
      if (disk?.isReadOnly === true) return new TransferFailure({ kind: 'read-only', side, path }, { cause })
      if (disk !== null && disk.freeBytes < tooLittle)
        return new TransferFailure({ kind: 'disk-full', side, path, freeBytes: disk.freeBytes }, { cause })
    }
    const detail = shortenedDetail(cause instanceof Error ? cause.message : String(cause))
    return new TransferFailure({ kind: 'failed', side, path, detail }, { cause })
  }

  async function find(path: string): Promise<FileEntry | null> {
    try {
      return await calls.call(
        (sftp, done) => sftp.lstat(path, done),
        (answer) => entryFrom(nameOf(path), answer),
      )
    } catch (error) {
      if (statusOf(error) === statusCodes.noSuchFile) return null
      throw error
    }
  }

  async function list(folder: string): Promise<FileEntry[]> {
    const handle = await calls.open((sftp, done) => sftp.opendir(folder, done))
    const entries: FileEntry[] = []
    let listedBytes = 0
    try {
      for (;;) {
        // Not by the path: ssh2 would then ask on for as long as the server answers.
        const more = await calls.call((sftp, done) => readFolder(sftp, handle, done), entriesFrom)
        for (const entry of more.entries) entries.push(entry)
        listedBytes += more.bytes
        if (entries.length > mostEntries || listedBytes > mostListedBytes)
          throw new TransferFailure({ kind: 'too-many', side, path: folder })
      }
    } catch (error) {
      if (statusOf(error) === statusCodes.endOfFile) return entries
      throw error
    } finally {
      await calls.closeHandle(handle)
    }
  }

  async function rename(from: string, to: string, replace: boolean): Promise<void> {
    if (replace) {
      const renamed = await callExtension(
        calls,
        (sftp, done) => sftp.ext_openssh_rename(from, to, done),
        (answer) => (doneFrom(answer), true),
      )
      if (renamed !== null) return
      await removeFile(to)
    }
    // OpenSSH refuses a taken name by itself; others may not.
    if ((await find(to)) !== null) throw new TransferFailure({ kind: 'appeared', side, path: to })
    await calls.call((sftp, done) => sftp.rename(from, to, done), doneFrom)
  }

  async function removeFile(path: string): Promise<void> {
    try {
      await calls.call((sftp, done) => sftp.unlink(path, done), doneFrom)
    } catch (error) {
      if (statusOf(error) !== statusCodes.noSuchFile) throw error
    }
  }

  async function removeTree(path: string, kind: FileEntry['kind'], signal?: AbortSignal): Promise<void> {
    await removeDeep({ list, removeFile, removeFolder, join: joined, told }, path, kind, signal)
  }

  async function removeFolder(path: string): Promise<void> {
    await calls.call((sftp, done) => sftp.rmdir(path, done), doneFrom)
  }

  function diskOf(folder: string): Promise<Disk | null> {
    return callExtension(calls, (sftp, done) => sftp.ext_openssh_statvfs(folder, done), diskFrom)
  }

  async function setAttributes(path: string, { mode, modifiedAt }: FileAttributes): Promise<void> {
    const wanted = {
      ...(mode !== null && { mode: mode & 0o777 }),
      ...(modifiedAt !== null && { atime: modifiedAt / 1_000, mtime: modifiedAt / 1_000 }),
    }
    await calls.call((sftp, done) => sftp.setstat(path, wanted, done), doneFrom)
  }

  return {
    side,
    ...remoteNames,
    mostWritesAhead: () => remoteWritesAhead,
    resolve: (path) => told(path, () => calls.call((sftp, done) => sftp.realpath(path, done), pathFrom)),
    list: (folder) => told(folder, () => list(folder)),
    find: (path) => told(path, () => find(path)),
    openToRead: (path) => told(path, () => openRemoteReader(calls, path, told)),
    openToWrite: (path, _size, must) => told(path, () => openRemoteWriter(calls, path, told, must)),
    rename: (from, to, replace) => told(to, () => rename(from, to, replace)),
    removeFile: (path) => told(path, () => removeFile(path)),
    remove: (path, kind, signal) => told(path, () => removeTree(path, kind, signal)),
    removeEmptyFolder: (path) => told(path, () => removeFolder(path)),
    makeFolder: (path) => told(path, () => calls.call((sftp, done) => sftp.mkdir(path, done), doneFrom)),
    setAttributes: (path, attributes) => told(path, () => setAttributes(path, attributes)),
    ownerOf: (path) => told(path, () => calls.call((sftp, done) => sftp.lstat(path, done), ownerFrom)),
    setOwner: (path, { user, group }) =>
      told(path, () =>
        calls.call((sftp, done) => sftp.setstat(path, { uid: user, gid: group }, done), doneFrom),
      ),
    freeBytes: (folder) => told(folder, async () => (await diskOf(folder))?.freeBytes ?? null),
  }
}

/** In full, which ssh2's types do not know of: else it takes dots out of whatever the answer is, and throws at none. */
function readFolder(sftp: SFTPWrapper, handle: Buffer, done: Callback): void {
  const readdir: unknown = Reflect.get(sftp, 'readdir')
  if (typeof readdir !== 'function') throw new Error('ssh2 lists no folders')
  Reflect.apply(readdir, sftp, [handle, { full: true }, done])
}

function joined(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end > 0 ? path.slice(0, end) : '/'
}
