import ssh2 from 'ssh2'
import type { FileEntry } from '../../domain/files/transfer.ts'
import type { FileAttributes, FileReader, FileWriter, MustFile } from './file-tree.ts'
import { writeDirectly } from '../ssh/protocol/sftp-data.ts'
import { entryFrom } from './remote-entry.ts'
import { countFrom, doneFrom } from './remote-answers.ts'
import { asLongAsDisksTake, callExtension, statusCodes, statusOf, type Calls } from './sftp-calls.ts'

/** Runs what concerns a path, and turns its failure into what the user is told. */
export type Told = <T>(path: string, work: () => Promise<T>) => Promise<T>

/** How many writes to one file may be under way at once. */
export const remoteWritesAhead = 16

const { READ, WRITE, CREAT, EXCL } = ssh2.utils.sftp.OPEN_MODE

/** Opens a file of an instance to be read. @throws whatever ssh2 says: `told` is for what comes after */
export async function openRemoteReader(calls: Calls, path: string, told: Told): Promise<FileReader> {
  const handle = await calls.open((sftp, done) => sftp.open(path, READ, done))

  /** Bytes that were read; none at the end of the file. */
  async function readOnce(buffer: Buffer, at: number, position: number): Promise<number> {
    const length = buffer.length - at
    try {
      return await calls.call(
        (sftp, done) => sftp.read(handle, buffer, at, length, position, tellingTheEnd(done)),
        (answer) => countFrom(answer, length),
      )
    } catch (error) {
      if (statusOf(error) === statusCodes.endOfFile) return 0
      throw error
    }
  }

  return {
    read: (offset, into) =>
      told(path, async () => {
        const buffer = asBuffer(into)
        let filled = 0
        // A server may send less than was asked for (draft-ietf-secsh-filexfer-02 section 6.4).
        while (filled < buffer.length) {
          const count = await readOnce(buffer, filled, offset + filled)
          if (count === 0) break
          filled += count
        }
        return filled
      }),
    look: () =>
      told(path, async () => {
        const { size, modifiedAt } = await lookAt(calls, handle, path)
        return { size, modifiedAt }
      }),
    close: () => told(path, () => calls.closeHandle(handle)),
  }
}

/** Opens a file of an instance to be written, or makes it. @throws as {@link openRemoteReader} */
export async function openRemoteWriter(
  calls: Calls,
  path: string,
  told: Told,
  must?: MustFile,
): Promise<FileWriter> {
  const create = must === 'be-new' ? CREAT | EXCL : CREAT
  const flags = must === 'exist' ? WRITE : WRITE | create
  const handle = await calls.open((sftp, done) => sftp.open(path, flags, { mode: 0o600 }, done))
  const { size } = await lookAt(calls, handle, path)

  async function finish(finalSize: number, { mode, modifiedAt }: FileAttributes): Promise<void> {
    if (finalSize < size) await setOf(calls, handle, { size: finalSize })
    // Together: a server does what concerns one file in order, and from afar each answer takes its time.
    await Promise.all([
      setOf(calls, handle, {
        ...(mode !== null && { mode: mode & 0o7777 }),
        ...(modifiedAt !== null && { atime: modifiedAt / 1_000, mtime: modifiedAt / 1_000 }),
      }),
      callExtension(calls, (sftp, done) => sftp.ext_openssh_fsync(handle, done), doneFrom, asLongAsDisksTake),
      calls.closeHandle(handle),
    ])
  }

  return {
    size,
    writesAhead: () => remoteWritesAhead,
    write: (offset, bytes) =>
      told(path, () =>
        calls.call(
          (sftp, done) =>
            writeDirectly(sftp, { handle, offset, content: asBuffer(bytes) }, (error) => done(error)),
          doneFrom,
        ),
      ),
    finish: (finalSize, attributes) => told(path, () => finish(finalSize, attributes)),
    close: () => told(path, () => calls.closeHandle(handle)),
  }
}

function lookAt(calls: Calls, handle: Buffer, path: string): Promise<FileEntry> {
  return calls.call(
    (sftp, done) => sftp.fstat(handle, done),
    (answer) => entryFrom(path, answer),
  )
}

interface HandleAttributes {
  readonly size?: number
  readonly mode?: number
  readonly atime?: number
  readonly mtime?: number
}

function setOf(calls: Calls, handle: Buffer, attributes: HandleAttributes): Promise<void> {
  return calls.call((sftp, done) => sftp.fsetstat(handle, attributes, done), doneFrom)
}

/** The same memory, as ssh2 wants it. */
function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** Makes ssh2 pass the end of a file on as an error: otherwise it is one with every answer that is none. */
function tellingTheEnd<T extends object>(done: T): T {
  return Object.assign(done, { _wantEOFError: true })
}
