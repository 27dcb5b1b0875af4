import type { Log } from '../../domain/base/log.ts'
import type { KeptTransfer } from './kept-transfer.ts'

/** Where transfers of all accounts are kept. */
export interface TransfersFile {
  readonly value: readonly KeptTransfer[]
  readonly update: (
    change: (all: readonly KeptTransfer[]) => readonly KeptTransfer[],
  ) => Promise<readonly KeptTransfer[]>
}

/** The transfers on disk that are not over, of which those of one account are seen. */
export class KeptTransfers {
  /** `ownerOf` the account in use. */
  owner: string | null = null
  readonly #file: TransfersFile
  readonly #log: Log
  #written: Promise<void> = Promise.resolve()

  constructor(file: TransfersFile, log: Log) {
    this.#file = file
    this.#log = log
  }

  get mine(): readonly KeptTransfer[] {
    return this.#file.value.filter(({ owner }) => owner === this.owner)
  }

  /** Replaces those of the account. A transfer goes on without it, so a disk that is full is only logged. */
  write(mine: readonly Omit<KeptTransfer, 'owner'>[]): void {
    const { owner } = this
    if (owner === null) return
    const own = mine.map((one) => ({ ...one, owner }))
    const update = this.#file.update((all) => [...all.filter((one) => one.owner !== owner), ...own])
    const written = update.then(
      () => undefined,
      (error: unknown) => void this.#log.error('The list of transfers could not be kept', error),
    )
    this.#written = Promise.all([this.#written, written]).then(() => undefined)
  }

  /** Resolves when all that was to be written is. */
  settled(): Promise<void> {
    return this.#written
  }
}
