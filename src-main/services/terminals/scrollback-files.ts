import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../domain/base/log.ts'
import { savedScreen, type SavedScreen } from '../../domain/terminals/saved-terminals.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import { deleteOthers, makeFolder, orStorageFailed, replaceFile, isMissing } from '../storage/disk.ts'

/**
 * What terminals showed, a file for each, readable by its owner only. Nothing else depends on it: a file that
 * cannot be read is as good as none.
 */
export class ScrollbackFiles {
  readonly #folder: string
  readonly #log: Log
  readonly #queue = new SerialQueue()

  constructor({ folder, log }: { readonly folder: string; readonly log: Log }) {
    this.#folder = folder
    this.#log = log
  }

  async read(key: string): Promise<SavedScreen | null> {
    try {
      return savedScreen.parse(JSON.parse(await readFile(this.#path(key), 'utf8')))
    } catch (error) {
      if (!isMissing(error)) this.#log.warn(`What a terminal showed cannot be read: ${key}`)
      return null
    }
  }

  /** @throws ProblemError storage-failed */
  write(key: string, screen: SavedScreen): Promise<void> {
    const path = this.#path(key)
    return this.#queue.take(() =>
      orStorageFailed(path, async () => {
        await makeFolder(this.#folder)
        // Without fsync: it is written every few seconds, and after a power cut the one before will do.
        await replaceFile(path, JSON.stringify(screen), { fsync: false })
      }),
    )
  }

  /** Deletes all others. @throws ProblemError storage-failed */
  keepOnly(keys: ReadonlySet<string>): Promise<void> {
    const names = new Set([...keys].map((key) => `${key}.json`))
    return this.#queue.take(() => deleteOthers(this.#folder, names))
  }

  /** All that was asked for has been done. */
  async settled(): Promise<void> {
    await this.#queue.take(() => Promise.resolve())
  }

  #path(key: string): string {
    return join(this.#folder, `${key}.json`)
  }
}
