import type { Clock } from '../../../domain/base/clock.ts'
import type { Log } from '../../../domain/base/log.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import {
  longestText,
  type FollowedLog,
  type LogPartOutcome,
  type LogSearchOutcome,
  type OpenOutcome,
  type RemoteFile,
  type SaveOrder,
  type SaveOutcome,
} from '../../../domain/files/opened-file.ts'
import type { TransferProblem } from '../../../domain/files/transfer.ts'
import { searchLines } from '../../storage/line-log/search-lines.ts'
import { createDeadline, orAborted } from '../../ssh/deadline.ts'
import { knownProblem, TransferFailure } from '../failure.ts'
import type { FileTree } from '../file-tree.ts'
import type { Connect } from '../session.ts'
import type { SessionPool } from '../session-pool.ts'
import { logChunks, lookAtEnd, readLogPart, type LogEnd } from './follow-file.ts'
import { findFile, openFile, readWhole, type ReadBytes } from './open-file.ts'
import { withReader } from './read-file.ts'
import { saveFile, type BytesOrder, type SaveStep } from './save-file.ts'

export interface OpenedFilesOptions {
  readonly connect: Connect
  readonly sessions: SessionPool
  /** Whether there is a connection to the instance now. */
  readonly isConnected: (instanceId: number) => boolean
  readonly clock: Clock
  readonly log: Log
}

/** How a save gets to the instance. */
export interface SaveWay {
  /** In place of the usual one. */
  readonly connect?: Connect | undefined
  /** Ends the wait for a connection. */
  readonly signal?: AbortSignal
}

/** All of a file, or why not. */
export type WholeOutcome = ReadBytes | { readonly kind: 'failed'; readonly problem: TransferProblem }

/** For all of a file, with the connection that it may need. */
const readWithinMs = 5 * 60_000
/** How often a log that is followed is looked at. */
const followMs = 1_000
/** Of a search, at once: some seconds from afar. */
const searchedBytes = 64 * 1024 * 1024

/** Files of instances that are shown, edited, and followed. All that they hold is a stranger's, and bounded. */
export class OpenedFiles {
  readonly #options: OpenedFilesOptions
  /** Half files of saves that broke off, by instance. Those of saves under way aren't among them. */
  readonly #leftovers = new Map<number, Set<string>>()
  /** Saves of one file go one after the other: of an editor that was left, and of the next one. */
  readonly #saves = new Map<string, SerialQueue>()
  /** Files that a save wrote into until it broke off. */
  readonly #incomplete = new Set<string>()

  constructor(options: OpenedFilesOptions) {
    this.#options = options
  }

  /** Connects when there is no connection. Never rejects: what stood against it is in the outcome. */
  async open({ instanceId, ...file }: RemoteFile & { readonly asLog: boolean }): Promise<OpenOutcome> {
    try {
      return await this.#use(instanceId, (tree) => openFile(tree, file))
    } catch (error) {
      return { kind: 'failed', problem: this.#problemOf(error, file) }
    }
  }

  /**
   * All of a file, of at most so many bytes. Connects and fails as `open`, and after some minutes at the latest: a server
   * may answer for ever, and a question stay without an answer. Once the signal is aborted, it rejects with its reason.
   */
  async readWhole(
    { instanceId, ...file }: RemoteFile,
    longest: number,
    signal: AbortSignal,
  ): Promise<WholeOutcome> {
    const over = new AbortController()
    const deadline = createDeadline(this.#options.clock, readWithinMs, () => over.abort(tooSlow(file)))
    const whole = AbortSignal.any([signal, over.signal])
    deadline.start()
    try {
      return await this.#use(instanceId, (tree) => orAborted(readWhole(tree, file, longest), whole), whole)
    } catch (error) {
      signal.throwIfAborted()
      return { kind: 'failed', problem: this.#problemOf(error, file) }
    } finally {
      deadline.stop()
    }
  }

  /** Never rejects, as `open`. The text that couldn't be saved is the window's still. */
  save({ text, ...order }: SaveOrder): Promise<SaveOutcome> {
    return this.saveBytes({ ...order, bytes: Buffer.from(text), longest: longestText })
  }

  /** As `save`, for what need not be text. Once the signal is aborted, it rejects with its reason. */
  saveBytes(order: BytesOrder, way: SaveWay = {}): Promise<SaveOutcome> {
    const key = keyOf(order)
    const queue = this.#saves.get(key) ?? new SerialQueue()
    this.#saves.set(key, queue)
    return queue.take(() => this.#save(order, key, way))
  }

  async #save(
    { instanceId, ...order }: BytesOrder,
    key: string,
    { connect, signal }: SaveWay,
  ): Promise<SaveOutcome> {
    const leftovers = this.#leftoversOf(instanceId)
    const made = new Set<string>()
    const onStep = (step: SaveStep): void => {
      if (step.kind === 'writing-into') this.#incomplete.add(key)
      else if (step.kind === 'part-made') made.add(step.path)
      else made.delete(step.path)
    }
    const work = async (tree: FileTree): Promise<SaveOutcome> => {
      const outcome = await saveFile(tree, order, onStep)
      if (outcome.kind === 'changed') return { ...outcome, isIncomplete: this.#incomplete.has(key) }
      if (outcome.kind === 'saved') {
        this.#incomplete.delete(key)
        await removeAll(tree, leftovers)
      }
      return outcome
    }
    try {
      return await this.#use(instanceId, work, signal, connect)
    } catch (error) {
      signal?.throwIfAborted()
      const [left = null] = made
      const problem = this.#problemOf(error, order)
      return { kind: 'failed', problem, left, isIncomplete: this.#incomplete.has(key) }
    } finally {
      for (const path of made) leftovers.add(path)
    }
  }

  /**
   * The end of a log, and what comes, until the signal is aborted. It connects at first only: when the connection ends,
   * that is told, and it goes on once there is another one.
   */
  async *follow(file: RemoteFile, signal?: AbortSignal): AsyncGenerator<FollowedLog, void, void> {
    const { clock, isConnected } = this.#options
    let end: LogEnd | null = null
    let problem: TransferProblem | null = null
    /** In the log once, and not with each look. */
    let unforeseen: TransferProblem | null = null
    for (let isFirst = true; !signal?.aborted; isFirst = false) {
      const before: { readonly end: LogEnd | null; readonly problem: TransferProblem | null } = {
        end,
        problem,
      }
      if (isFirst || isConnected(file.instanceId)) {
        try {
          end = await this.#look(file, end, signal)
          problem = null
        } catch (error) {
          if (signal?.aborted) return
          problem = knownProblem(error) ?? (unforeseen ??= this.#problemOf(error, file))
        }
      } else if (problem === null)
        problem = { kind: 'connection', problem: { kind: 'link-lost', detail: '' } }
      if (isFirst || end !== before.end || problem?.kind !== before.problem?.kind)
        yield { turn: end?.turn ?? 0, part: end?.part ?? null, problem }
      // Cut short by the end of what is waited for.
      await clock.sleep(followMs, signal).catch(() => undefined)
    }
  }

  /** A part of a log, in whole characters. Never rejects, as `open`. */
  async readLog(file: RemoteFile, from: number, bytes: number): Promise<LogPartOutcome> {
    try {
      return {
        kind: 'read',
        part: await this.#read(file, (tree, path) => readLogPart(tree, path, from, bytes)),
      }
    } catch (error) {
      return { kind: 'failed', problem: this.#problemOf(error, file) }
    }
  }

  /** The first lines from a byte on, of so much as is looked through at once. Never rejects, as `open`. */
  async searchLog(
    file: RemoteFile,
    text: string,
    from: number,
    signal?: AbortSignal,
  ): Promise<LogSearchOutcome> {
    try {
      const found = await this.#read(
        file,
        (tree, path) =>
          withReader(tree, path, (reader) =>
            searchLines({ chunks: (at) => logChunks(reader, at, signal) }, text, from, searchedBytes),
          ),
        signal,
      )
      return { kind: 'searched', found }
    } catch (error) {
      // Nobody waits for it any more.
      if (signal?.aborted) return { kind: 'searched', found: { hits: [], next: from } }
      return { kind: 'failed', problem: this.#problemOf(error, file) }
    }
  }

  #look(file: RemoteFile, before: LogEnd | null, signal?: AbortSignal): Promise<LogEnd> {
    return this.#read(file, (tree, path) => lookAtEnd(tree, path, before), signal)
  }

  #read<T>(
    { instanceId, folder, name }: RemoteFile,
    work: (tree: FileTree, path: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const read = async (tree: FileTree): Promise<T> => {
      const found = await findFile(tree, folder, name)
      const path = found?.path ?? tree.join(folder, name)
      if (found?.entry.kind !== 'file') throw new TransferFailure({ kind: 'missing', side: tree.side, path })
      return work(tree, path)
    }
    return this.#use(instanceId, read, signal)
  }

  /** @param signal ends the wait for a session */
  #use<T>(
    instanceId: number,
    work: (tree: FileTree) => Promise<T>,
    signal = new AbortController().signal,
    connect = this.#options.connect,
  ): Promise<T> {
    const { sessions } = this.#options
    return sessions.use({ instanceId, purpose: 'look', connect, signal }, work)
  }

  #leftoversOf(instanceId: number): Set<string> {
    const leftovers = this.#leftovers.get(instanceId) ?? new Set()
    this.#leftovers.set(instanceId, leftovers)
    return leftovers
  }

  #problemOf(error: unknown, { folder, name }: Pick<RemoteFile, 'folder' | 'name'>): TransferProblem {
    const known = knownProblem(error)
    if (known !== null) return known
    const id = this.#options.log.error('A file could not be opened, saved, or followed', error)
    const detail = `an unexpected fault, in the log under ${id}`
    return { kind: 'failed', side: 'remote', path: `${folder}/${name}`, detail }
  }
}

function tooSlow({ folder, name }: Pick<RemoteFile, 'folder' | 'name'>): TransferFailure {
  const detail = `it took over ${readWithinMs / 60_000} minutes`
  return new TransferFailure({ kind: 'failed', side: 'remote', path: `${folder}/${name}`, detail })
}

function keyOf({ instanceId, folder, name }: RemoteFile): string {
  return JSON.stringify([instanceId, folder, name])
}

/** Those that can't be removed now are tried again after the next save. */
async function removeAll(tree: FileTree, parts: Set<string>): Promise<void> {
  for (const part of parts)
    await tree.removeFile(part).then(
      () => parts.delete(part),
      () => undefined,
    )
}
