import { z } from 'zod'
import { stepFrom, stepToOwnEntries } from '../../domain/base/file-version.ts'
import type { Log } from '../../domain/base/log.ts'
import { conflictChoice, thisComputer, transferOrder, transferProblem } from '../../domain/files/transfer.ts'
import type { JsonFile } from '../storage/json-file.ts'

/** What is kept on disk of a transfer that is not over, or that failed. */
const keptTransfer = z.object({
  id: z.string(),
  order: transferOrder,
  /** What the user said about names that are taken; `null` when there was no question yet. */
  choice: conflictChoice.nullable(),
  /** It waits for the user since; `null` for one that goes on by itself at the next start. */
  failed: transferProblem.nullable(),
  /** Whether its user paused it; older Slipways couldn't. */
  isPaused: z.boolean().default(false),
  /** Whether a notification is to tell when it's done; older Slipways told of none. */
  notifies: z.boolean().default(false),
})
export type KeptTransfer = z.infer<typeof keptTransfer>

/** It had its British name. */
const withHonor = stepFrom(
  z.array(
    z.looseObject({
      order: z
        .looseObject({ honourGitignore: z.boolean() })
        .transform(({ honourGitignore, ...others }) => ({ ...others, honorGitignore: honourGitignore })),
    }),
  ),
)

/** It was an upload or a download. */
const withPlaces = stepFrom(
  z.array(
    z.looseObject({
      order: z
        .looseObject({ instanceId: z.number(), direction: z.enum(['upload', 'download']) })
        .transform(({ instanceId, direction, ...others }) => {
          const [here, there] = [thisComputer, { side: 'remote', instanceId }]
          const [source, target] = direction === 'upload' ? [here, there] : [there, here]
          return { ...others, source, target }
        }),
    }),
  ),
)

export const transfersFile = {
  schema: z.array(keptTransfer).readonly(),
  steps: [stepToOwnEntries, withHonor, withPlaces],
  fallback: [],
}

/** Where the account's transfers are kept. */
export type TransfersFile = Pick<JsonFile<readonly KeptTransfer[]>, 'value' | 'update'>

/** The transfers on disk that are not over. */
export class TransferStore {
  readonly #file: TransfersFile
  readonly #log: Log
  #written: Promise<void> = Promise.resolve()

  constructor(file: TransfersFile, log: Log) {
    this.#file = file
    this.#log = log
  }

  get all(): readonly KeptTransfer[] {
    return this.#file.value
  }

  /** In place of what was kept. A transfer goes on without it, so a disk that is full is only logged. */
  write(all: readonly KeptTransfer[]): void {
    const written = this.#file
      .update(() => all)
      .then(
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
