import { z } from 'zod'
import { stepToOwnEntries } from '../../domain/base/file-version.ts'
import { conflictChoice, transferOrder, transferProblem } from '../../domain/files/transfer.ts'

/** What is kept on disk of a transfer that is not over, or that failed. */
export const keptTransfer = z.object({
  id: z.string(),
  order: transferOrder,
  /** What the user said about names that are taken; `null` when there was no question yet. */
  choice: conflictChoice.nullable(),
  /** It waits for the user since; `null` for one that goes on by itself at the next start. */
  failed: transferProblem.nullable(),
})
export type KeptTransfer = z.infer<typeof keptTransfer>
export const transfersFile = {
  schema: z.array(keptTransfer).readonly(),
  steps: [stepToOwnEntries],
  fallback: [],
}
