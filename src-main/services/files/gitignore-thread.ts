import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import { within } from '../ssh/deadline.ts'
import { TransferFailure } from './failure.ts'
import { verdicts, type GitignoreRequest, type Verdict } from './gitignore-messages.ts'

/** Built, it lies beside the rest of main under its own name (electron.vite.config.ts). */
const workerFile = new URL(`./gitignore-worker${extname(import.meta.url)}`, import.meta.url)

/** For all entries of a folder and one .gitignore; 200,000 names and a hundred usual patterns take two seconds. */
const patienceMs = 20_000

/** What `once` gives of the worker's answer. */
const answered = z.tuple([verdicts])

/** Ends what stands for a text that has lines such as `!a.json`, which open what another file names. */
export const exceptionMark = '!'

/** A .gitignore file, as the thread knows it. */
export interface GitignoreFile {
  readonly path: string
  /** What the file says of paths from its folder. @throws TransferFailure slow-gitignore, or the signal's reason */
  readonly judge: (paths: readonly string[]) => Promise<readonly Verdict[]>
  /** The file without its lines that name this path, itself or by a folder that it's in. */
  readonly sparing: (path: string) => GitignoreFile
}

/** Matches what is in .gitignore files on a thread of its own, begun with the first of them. */
export class GitignoreThread {
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #worker: Worker | null = null
  #files = 0
  readonly #taken = new Map<string, string>()

  /** @param signal ends what is being matched */
  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock
    this.#signal = signal
  }

  /** What stands for the text of each file, by its path; it ends in {@link exceptionMark} where the file has exceptions. */
  get taken(): ReadonlyMap<string, string> {
    return this.#taken
  }

  /** Takes up a file. @param text what is in it */
  add(path: string, text: string): GitignoreFile {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
    this.#taken.set(path, /^!/m.test(text) ? hash + exceptionMark : hash)
    return this.#fileOf(path, text, null)
  }

  #fileOf(path: string, text: string, spared: string | null): GitignoreFile {
    const file = (this.#files += 1)
    let isKnown = false
    return {
      path,
      judge: (paths) => {
        const untold = isKnown ? null : text
        isKnown = true
        return this.#ask(path, { file, text: untold, spared, paths })
      },
      sparing: (other) => this.#fileOf(path, text, other),
    }
  }

  /** Resolves when the thread is gone. */
  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  /** One at a time: the walk through folders waits for each. */
  async #ask(path: string, request: GitignoreRequest): Promise<readonly Verdict[]> {
    this.#signal.throwIfAborted()
    this.#worker ??= new Worker(workerFile)
    const worker = this.#worker
    const answer = once(worker, 'message', { signal: this.#signal })
    worker.postMessage(request)
    const slow = (): Error => new TransferFailure({ kind: 'slow-gitignore', path })
    try {
      return answered.parse(await within(this.#clock, patienceMs, answer, slow))[0]
    } catch (error) {
      this.#signal.throwIfAborted()
      throw error
    }
  }
}
