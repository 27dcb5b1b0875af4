import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { fileChange, fileChangeOutcome, filePlace } from '../domain/files/file-change.ts'
import {
  chosenPlace,
  conflictChoice,
  folderOutcome,
  transfer,
  transferOrder,
} from '../domain/files/transfer.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

/** `step` is what to enter from there: the name of an entry, `..`, or `null` to stay. An empty path is home. */
const place = z.object({ path: z.string().max(4096), step: z.string().max(1024).nullable() })
const one = z.object({ id: z.string().min(1).max(64) })

export const files = {
  listLocal: procedure.input(place).output(folderOutcome),
  /** Connects to the instance if nothing else has. */
  listRemote: procedure.input(place.extend({ instanceId: z.number().int() })).output(folderOutcome),
  /** Leaving the call stops a removal where it is. */
  change: procedure.input(z.object({ place: filePlace, change: fileChange })).output(fileChangeOutcome),
  /** Asks with the system's dialog, which alone tells where files are; none when the user leaves it. */
  choose: procedure
    .input(z.object({ kind: z.enum(['files', 'folders']) }))
    .output(z.array(chosenPlace).readonly()),
  /** All transfers of this run, the oldest first. */
  watchTransfers: procedure.output(eventIterator(z.array(transfer).readonly())),
  startTransfer: accountProcedure.input(transferOrder).output(one),
  /** The answer to `asking`. */
  answerConflicts: procedure.input(one.extend({ choice: conflictChoice })).output(nothing),
  /** Removes what is half done. */
  cancelTransfer: procedure.input(one).output(nothing),
  /** Goes on where it failed. */
  retryTransfer: procedure.input(one).output(nothing),
  /** Takes one that is over off the list; what is half done is removed, where it can be reached. */
  forgetTransfer: procedure.input(one).output(nothing),
}
