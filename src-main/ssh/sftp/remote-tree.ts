import { whyNotAFileName } from '../../domain/file-name.ts'
import type { FileEntry } from '../../domain/transfer.ts'
import { TransferFailure } from './failure.ts'
import type { FileAttributes, FileTree } from './file-tree.ts'
import { entriesFrom, entryFrom } from './remote-entry.ts'
import { removeDeep } from './remove-deep.ts'
import { openRemoteReader, openRemoteWriter } from './remote-file.ts'
import { ChannelEnded, statusCodes, statusOf, type SftpCalls } from './sftp-calls.ts'

/** Less than any write asks for: a disk that has no more is full. */
const tooLittle = 64 * 1024

/** A server may go on listing for ever. */
const mostEntries = 200_000

/** An instance's files, through one SFTP channel (version 3, with OpenSSH's extensions where it has them). */
export function createRemoteTree(calls: SftpCalls): FileTree {
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
    const side = 'remote'
    const status = statusOf(cause)
    if (status === statusCodes.noSuchFile)
      return new TransferFailure({ kind: 'missing', side, path }, { cause })
    if (status === statusCodes.permissionDenied)
      return new TransferFailure({ kind: 'denied', side, path }, { cause })
    if (status === statusCodes.failure) {
      // SFTP has no word for a full disk.
      const free = await freeBytes(folderOf(path)).catch(() => null)
      if (free !== null && free < tooLittle)
        return new TransferFailure({ kind: 'disk-full', side, path, freeBytes: free }, { cause })
    }
    const detail = cause instanceof Error ? cause.message : String(cause)
    return new TransferFailure({ kind: 'failed', side, path, detail }, { cause })
  }

  async function find(path: string): Promise<FileEntry | null> {
    try {
      return entryFrom(nameOf(path), await calls.call((sftp, done) => sftp.lstat(path, done)))
    } catch (error) {
      if (statusOf(error) === statusCodes.noSuchFile) return null
      throw error
    }
  }

  async function list(folder: string): Promise<FileEntry[]> {
    const handle = await calls.call<Buffer>((sftp, done) => sftp.opendir(folder, done))
    const entries: FileEntry[] = []
    try {
      for (;;) {
        // Not by the path: ssh2 would then ask on for as long as the server answers.
        const more = entriesFrom(
          await calls.call<unknown>((sftp, done) =>
            sftp.readdir(handle, (error, names) => done(error, names)),
          ),
        )
        entries.push(...more)
        if (entries.length > mostEntries)
          throw new TransferFailure({ kind: 'too-many', side: 'remote', path: folder })
      }
    } catch (error) {
      if (statusOf(error) === statusCodes.endOfFile) return entries
      throw error
    } finally {
      await calls.call<unknown>((sftp, done) => sftp.close(handle, (error) => done(error, null)))
    }
  }

  async function rename(from: string, to: string, replace: boolean): Promise<void> {
    if (replace) {
      const renamed = await calls.extension<unknown>((sftp, done) =>
        sftp.ext_openssh_rename(from, to, (error) => done(error, true)),
      )
      if (renamed !== null) return
      await removeFile(to)
    }
    // OpenSSH refuses a taken name by itself; others may not.
    if ((await find(to)) !== null) throw new TransferFailure({ kind: 'appeared', side: 'remote', path: to })
    await calls.call<unknown>((sftp, done) => sftp.rename(from, to, (error) => done(error, null)))
  }

  async function removeFile(path: string): Promise<void> {
    try {
      await calls.call<unknown>((sftp, done) => sftp.unlink(path, (error) => done(error, null)))
    } catch (error) {
      if (statusOf(error) !== statusCodes.noSuchFile) throw error
    }
  }

  async function removeTree(path: string, kind: FileEntry['kind'], signal?: AbortSignal): Promise<void> {
    await removeDeep({ list, removeFile, removeFolder, join: joined, told }, path, kind, signal)
  }

  async function removeFolder(path: string): Promise<void> {
    await calls.call<unknown>((sftp, done) => sftp.rmdir(path, (error) => done(error, null)))
  }

  async function freeBytes(folder: string): Promise<number | null> {
    const answer: unknown = await calls.extension<unknown>((sftp, done) =>
      sftp.ext_openssh_statvfs(folder, done),
    )
    if (typeof answer !== 'object' || answer === null) return null
    const size: unknown = Reflect.get(answer, 'f_frsize')
    const blocks: unknown = Reflect.get(answer, 'f_bavail')
    return typeof size === 'number' && typeof blocks === 'number' ? size * blocks : null
  }

  async function setAttributes(path: string, { mode, modifiedAt }: FileAttributes): Promise<void> {
    await calls.call<unknown>((sftp, done) =>
      sftp.setstat(
        path,
        {
          ...(mode !== null && { mode: mode & 0o777 }),
          ...(modifiedAt !== null && { atime: modifiedAt / 1_000, mtime: modifiedAt / 1_000 }),
        },
        (error) => done(error, null),
      ),
    )
  }

  return {
    side: 'remote',
    writesAhead: 16,
    nameKey: (name) => name,
    join: joined,
    whyUnusable: (name) => whyNotAFileName(name, 'posix'),
    resolve: (path) => told(path, () => calls.call((sftp, done) => sftp.realpath(path, done))),
    list: (folder) => told(folder, () => list(folder)),
    find: (path) => told(path, () => find(path)),
    openToRead: (path) => told(path, () => openRemoteReader(calls, path, told)),
    openToWrite: (path) => told(path, () => openRemoteWriter(calls, path, told)),
    rename: (from, to, replace) => told(to, () => rename(from, to, replace)),
    removeFile: (path) => told(path, () => removeFile(path)),
    remove: (path, kind, signal) => told(path, () => removeTree(path, kind, signal)),
    makeFolder: (path) =>
      told(path, () => calls.call((sftp, done) => sftp.mkdir(path, (error) => done(error, undefined)))),
    setAttributes: (path, attributes) => told(path, () => setAttributes(path, attributes)),
    freeBytes: (folder) => told(folder, () => freeBytes(folder)),
  }
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
