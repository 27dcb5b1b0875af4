import type { NameFault } from '../../domain/files/file-name.ts'
import type { FileEntry, FileSide } from '../../domain/files/transfer.ts'

/** What a copy takes over from its source. */
export interface FileAttributes {
  /** Permission bits; `null` leaves what the target's system gives. */
  readonly mode: number | null
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number | null
}

/** Whose a file is, by the numbers of its system. */
export interface FileOwner {
  readonly user: number
  readonly group: number
}

/** A file that is open to be read. */
export interface FileReader {
  /**
   * Fills `into`, and says how many bytes it has put there: fewer than fit only at the end of the file. May be
   * called again before it resolves.
   */
  readonly read: (offset: number, into: Uint8Array) => Promise<number>
  /** What is open, whatever its path leads to by now. */
  readonly look: () => Promise<Pick<FileEntry, 'size' | 'modifiedAt'>>
  readonly close: () => Promise<void>
}

/** A file that is open to be written, under a name that nobody looks for. */
export interface FileWriter {
  /** Bytes that were there when it was opened. */
  readonly size: number
  /** How many writes may be under way at once: never more than the tree's `mostWritesAhead`. */
  readonly writesAhead: () => number
  /** May be called again before it resolves, up to `writesAhead`. */
  readonly write: (offset: number, bytes: Uint8Array) => Promise<void>
  /** On the disk, as long as `size`, when it resolves; and closed. */
  readonly finish: (size: number, attributes: FileAttributes) => Promise<void>
  readonly close: () => Promise<void>
}

/** What a file that is opened to be written has to be. */
export type MustFile = 'exist' | 'be-new'

/** The files of one side, this computer's or an instance's. All calls throw a TransferFailure, or ChannelEnded. */
export interface FileTree {
  readonly side: FileSide
  /**
   * How many writes to one file of that size may ever be under way at once. Depends on nothing else: what a lost link
   * leaves has its gaps in so many pieces before its end, whoever goes on with it.
   */
  readonly mostWritesAhead: (size: number) => number
  /** Equal for names that this side takes for one. */
  readonly nameKey: (name: string) => string
  readonly join: (folder: string, name: string) => string
  /** Why nothing can have that name here, in words for the user; `null` when it can. */
  readonly whyUnusable: (name: string) => NameFault | null
  /** The path without links and dots; a relative one counts from the home folder. */
  readonly resolve: (path: string) => Promise<string>
  readonly list: (folder: string) => Promise<readonly FileEntry[]>
  /** What is at the path, and not what it may link to; `null` when there is nothing. */
  readonly find: (path: string) => Promise<FileEntry | null>
  /** @param size what it is expected to hold, where that matters */
  readonly openToRead: (path: string, size?: number) => Promise<FileReader>
  /**
   * For its owner only until it is finished; what is there stays.
   *
   * @param size as of `openToRead`
   * @param must `exist`: it isn't made; `be-new`: it isn't opened, either
   */
  readonly openToWrite: (path: string, size?: number, must?: MustFile) => Promise<FileWriter>
  /** Gives a finished file its name; without `replace` it fails when the name is taken. */
  readonly rename: (from: string, to: string, replace: boolean) => Promise<void>
  /** Does nothing when there is none. */
  readonly removeFile: (path: string) => Promise<void>
  /**
   * What is at the path, of the kind that was seen there, with all that is in it: on this computer into the
   * system's trash, on an instance for good. Links are removed, never followed.
   */
  readonly remove: (path: string, kind: FileEntry['kind'], signal?: AbortSignal) => Promise<void>
  /** Fails when something is in it. */
  readonly removeEmptyFolder: (path: string) => Promise<void>
  readonly makeFolder: (path: string) => Promise<void>
  readonly setAttributes: (path: string, attributes: FileAttributes) => Promise<void>
  /** Whose the file at the path is, and not what it may link to; `null` when nobody tells. */
  readonly ownerOf: (path: string) => Promise<FileOwner | null>
  readonly setOwner: (path: string, owner: FileOwner) => Promise<void>
  /** On the disk of that folder; `null` when nobody tells. */
  readonly freeBytes: (folder: string) => Promise<number | null>
}
