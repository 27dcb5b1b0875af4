import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../domain/base/clock.ts'
import type { Log } from '../../../domain/base/log.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { assertNever } from '../../../domain/base/assert-never.ts'
import {
  longestCopy,
  type CopyAnswer,
  type CopyConflict,
  type CopyState,
} from '../../../domain/files/edited-copy.ts'
import type { RemoteFile, SaveOutcome } from '../../../domain/files/opened-file.ts'
import type { TransferProblem } from '../../../domain/files/transfer.ts'
import { isMissing, makeFolder, orStorageFailed, replaceFile } from '../../storage/disk.ts'
import { Changes } from '../push/changes.ts'
import { isLoss, mostLosses } from '../copy-session.ts'
import { localFailure } from '../failure.ts'
import { FolderWatch } from '../push/folder-watch.ts'
import type { Connect } from '../session.ts'
import type { OpenedFiles, WholeOutcome } from './opened-files.ts'
import { editableText, versionOf } from './text-bytes.ts'

/** What a copy stands for. */
export interface CopyOrigin extends RemoteFile {
  /** What the file there holds, as far as is known: it's to be uploaded when the copy is another. `null`: there's none. */
  readonly expected: string | null
  readonly mode: number | null
}

export interface WatchedCopyOptions {
  readonly origin: CopyOrigin
  /** Its own. Slipway puts nothing else there. */
  readonly folder: string
  readonly file: string
  /** A run before has left it: nothing is done for it before there's a connection. */
  readonly isResumed: boolean
  readonly opened: Pick<OpenedFiles, 'readWhole' | 'saveBytes'>
  readonly isConnected: (instanceId: number) => boolean
  /** As `Connections.regain`. */
  readonly regain: Connect
  /** As `Connections.tryNow`. */
  readonly tryNow: (instanceId: number) => void
  /** Aborted when the copy is removed, or Slipway ends. */
  readonly signal: AbortSignal
  /** On the disk when it resolves. @throws ProblemError storage-failed, newer-file */
  readonly keepExpected: (expected: string | null) => Promise<void>
  readonly onState: () => void
  /** As Node names it. */
  readonly platform: string
  readonly clock: Clock
  readonly log: Log
}

/** Between two looks whether there's a connection again. */
const waitMs = 1_000
/** Between two looks at the copy without a change; and where nothing is watched. */
const idleMs = 60_000
const unwatchedMs = 2_000

type ReadCopy =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly version: string }
  | { readonly kind: 'missing' | 'too-long' | 'changing' }
  /** A program may hold it while it writes. */
  | { readonly kind: 'unreadable'; readonly problem: TransferProblem }

/** One copy that a program of this computer edits: what is saved into it is uploaded, as Slipway's own editor saves. */
export class WatchedCopy {
  readonly #options: WatchedCopyOptions
  readonly #changes: Changes
  /** A look, and what the user asks for, one after the other. */
  readonly #queue = new SerialQueue()
  #state: CopyState
  #expected: string | null
  #uploadedAt: number | null = null
  /** The copy that came to a question or a failure: it's not tried again unasked, unless it was another meanwhile. */
  #tried: string | null = null
  #conflict: Extract<SaveOutcome, { readonly kind: 'changed' }> | null = null
  /** What the user was shown of the copy when asked which side counts. */
  #shown: string | null = null
  /** The user wants a try now, connected or not. */
  #isAsked = false
  /** The user agreed, until the copy is stopped. */
  #inPlace = false

  constructor(options: WatchedCopyOptions) {
    this.#options = options
    this.#changes = new Changes(options.clock)
    this.#expected = options.origin.expected
    this.#state = options.isResumed ? { kind: 'waiting', problem: null } : { kind: 'same', uploadedAt: null }
  }

  get state(): CopyState {
    return this.#state
  }

  get origin(): CopyOrigin {
    return this.#options.origin
  }

  get path(): string {
    return join(this.#options.folder, this.#options.file)
  }

  /** Uploads what is saved into the copy until the signal is aborted. */
  async run(): Promise<void> {
    const { platform, folder, signal } = this.#options
    const watch = new FolderWatch({ platform, onChange: this.#changes.note })
    try {
      while (!signal.aborted) {
        // A folder that was gone may be there again.
        watch.update([folder])
        await this.#changes.settled(signal)
        const seen = this.#changes.count
        await this.#queue.take(() => this.#look())
        const isGone = this.#state.kind === 'missing'
        // Its folder may be gone, and the watch with it.
        if (isGone) watch.update([])
        const isWatched = watch.fault === null && !isGone
        const pauseMs = this.#state.kind === 'waiting' ? waitMs : isWatched ? idleMs : unwatchedMs
        if (this.#changes.count === seen) await this.#changes.next(pauseMs, signal)
      }
    } finally {
      watch.close()
    }
  }

  /** Resolves when the folder isn't written to any more, once the signal is aborted. */
  async settled(): Promise<void> {
    await this.#queue.take(() => Promise.resolve())
  }

  /** When a program saved the copy last, in milliseconds since the epoch; `null` where there is none, or none that can be looked at. */
  async savedAt(): Promise<number | null> {
    const entry = await lstat(this.path).catch(() => null)
    return entry?.mtimeMs ?? null
  }

  /** Whether something would be lost without the copy. Between two steps of a program's save it may be missing. */
  async standing(): Promise<'uploaded' | 'not-uploaded' | 'missing'> {
    const read = await this.#read()
    if (read.kind === 'missing') return 'missing'
    return read.kind === 'read' && read.version === this.#expected ? 'uploaded' : 'not-uploaded'
  }

  /**
   * The newest there takes the place of a copy that has nothing to be uploaded.
   *
   * @returns `null` where the copy stays
   * @throws ProblemError storage-failed, newer-file; or the signal's reason
   */
  async refresh(): Promise<WholeOutcome | null> {
    const read = await this.#read()
    const isReplaced = read.kind === 'missing' || (read.kind === 'read' && read.version === this.#expected)
    return isReplaced ? this.#fetch(seenOf(read)) : null
  }

  /** Both sides, while it's asked which one counts. */
  async conflict(): Promise<CopyConflict | null> {
    if (this.#conflict === null) return null
    const { theirs, isIncomplete } = this.#conflict
    const read = await this.#read()
    this.#shown = seenOf(read)
    const mine = read.kind === 'read' ? editableText(read.bytes) : null
    return { theirs: mine === null ? { ...theirs, text: null } : theirs, mine, isIncomplete }
  }

  /** @throws ProblemError storage-failed, newer-file: nothing is done then; or the signal's reason */
  async answer(answer: CopyAnswer): Promise<void> {
    // Not behind an upload that waits for its connection.
    if (answer.kind === 'try-again') {
      this.#tryAgain()
      return this.#options.tryNow(this.origin.instanceId)
    }
    if (answer.kind === 'keep-theirs') return this.#keepTheirs()
    await this.#queue.take(async () => {
      switch (answer.kind) {
        case 'overwrite':
          // Another question came up meanwhile.
          if (this.#conflict === null || this.#conflict.theirs.version !== answer.seen) return
          await this.#options.keepExpected(answer.seen)
          this.#expected = answer.seen
          return this.#tryAgain()
        case 'in-place':
          this.#inPlace = true
          return this.#tryAgain()
        default:
          assertNever(answer)
      }
    })
  }

  #tryAgain(): void {
    this.#tried = null
    this.#conflict = null
    this.#isAsked = true
    this.#changes.note()
  }

  async #keepTheirs(): Promise<void> {
    if (this.#conflict === null || this.#shown === null) return
    const outcome = await this.#fetch(this.#shown)
    if (outcome?.kind === 'failed') this.#show({ kind: 'failed', problem: outcome.problem })
    else if (outcome?.kind === 'refused') this.#show({ kind: 'failed', problem: missing(this.origin) })
  }

  /**
   * Puts what is there now in the copy's place, as long as that is what was seen: the user may save meanwhile, for
   * reading takes its time.
   *
   * @returns `null` where the copy stays, because it's another by now
   * @throws ProblemError storage-failed, newer-file; or the signal's reason
   */
  async #fetch(seen: string): Promise<WholeOutcome | null> {
    const { opened, origin, keepExpected, folder, signal } = this.#options
    // Not in the queue: a save of that time is uploaded.
    const outcome = await opened.readWhole(origin, longestCopy, signal)
    if (outcome.kind !== 'read') return outcome
    const version = versionOf(outcome.bytes)
    const isAsSeen = async (): Promise<boolean> => seenOf(await this.#read()) === seen
    return this.#queue.take(async () => {
      signal.throwIfAborted()
      // As a whole: half of it would be taken for what the user saved.
      const isReplaced = await orStorageFailed(this.path, async () => {
        await makeFolder(folder)
        return replaceFile(this.path, outcome.bytes, { isStillTo: isAsSeen })
      })
      if (!isReplaced) {
        this.#changes.note()
        return null
      }
      await keepExpected(version)
      this.#expected = version
      this.#tried = null
      this.#conflict = null
      this.#show({ kind: 'same', uploadedAt: this.#uploadedAt })
      return outcome
    })
  }

  async #look(): Promise<void> {
    const read = await this.#read()
    if (this.#options.signal.aborted) return
    if (read.kind === 'changing') return this.#changes.note()
    if (read.kind === 'read' && read.version === this.#tried) return
    this.#tried = null
    // It's read again with the next change.
    if (read.kind === 'unreadable') return this.#show({ kind: 'failed', problem: read.problem })
    if (read.kind !== 'read') return this.#show({ kind: read.kind })
    if (read.version === this.#expected) {
      this.#conflict = null
      return this.#show({ kind: 'same', uploadedAt: this.#uploadedAt })
    }
    const { isConnected, origin } = this.#options
    if (this.#state.kind === 'waiting' && !this.#isAsked && !isConnected(origin.instanceId)) return
    await this.#upload(read)
  }

  /** Half of what is still being written isn't read. */
  async #read(): Promise<ReadCopy> {
    try {
      const before = await lstat(this.path)
      if (!before.isFile()) return { kind: 'missing' }
      if (before.size > longestCopy) return { kind: 'too-long' }
      const bytes = await readFile(this.path)
      const after = await lstat(this.path)
      if (after.mtimeMs !== before.mtimeMs || after.size !== bytes.length) return { kind: 'changing' }
      return { kind: 'read', bytes, version: versionOf(bytes) }
    } catch (error) {
      if (isMissing(error)) return { kind: 'missing' }
      return { kind: 'unreadable', problem: localFailure(this.path, error).problem }
    }
  }

  async #upload({ bytes, version }: Extract<ReadCopy, { kind: 'read' }>): Promise<void> {
    const { opened, origin, regain, signal } = this.#options
    this.#isAsked = false
    this.#show({ kind: 'uploading' })
    for (let losses = 0; ; losses += 1) {
      const order = {
        ...origin,
        bytes,
        longest: longestCopy,
        expected: this.#expected,
        inPlace: this.#inPlace,
      }
      let outcome: SaveOutcome
      try {
        outcome = await opened.saveBytes(order, { connect: losses > 0 ? regain : undefined, signal })
      } catch (error) {
        if (signal.aborted) return
        throw error
      }
      if (outcome.kind !== 'failed' || !isLoss(outcome.problem) || losses >= mostLosses)
        return this.#note(outcome, version)
      this.#show({ kind: 'waiting', problem: outcome.problem })
    }
  }

  async #note(outcome: SaveOutcome, version: string): Promise<void> {
    const { log, clock, keepExpected } = this.#options
    switch (outcome.kind) {
      case 'saved':
        this.#expected = outcome.version
        this.#uploadedAt = clock.now()
        this.#conflict = null
        this.#show({ kind: 'same', uploadedAt: this.#uploadedAt })
        try {
          await keepExpected(outcome.version)
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error
          // The next start uploads it once more, and finds it done.
          log.warn(`That a copy was uploaded could not be kept: ${error.problem.kind}`)
        }
        return
      case 'changed':
        this.#tried = version
        this.#conflict = outcome
        return this.#show({ kind: 'changed' })
      case 'asks-in-place':
        this.#tried = version
        return this.#show({ kind: 'asks-in-place', why: outcome.why })
      case 'too-long':
        return this.#show({ kind: 'too-long' })
      case 'failed':
        if (outcome.problem.kind === 'connection')
          return this.#show({ kind: 'waiting', problem: outcome.problem })
        this.#tried = version
        return this.#show({ kind: 'failed', problem: outcome.problem })
      default:
        return assertNever(outcome)
    }
  }

  #show(state: CopyState): void {
    this.#state = state
    this.#options.onState()
  }
}

/** What took the name there is no file that can be edited. */
function missing({ folder, name }: RemoteFile) {
  return { kind: 'appeared', side: 'remote', path: `${folder}/${name}` } as const
}

/** What tells whether a copy is still the one that was seen. */
function seenOf(read: ReadCopy): string {
  return read.kind === 'read' ? read.version : read.kind
}
