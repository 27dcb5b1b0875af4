import { z } from 'zod'
import { inPlaceReason, remoteFile, theirs } from './opened-file.ts'
import { transferProblem } from './transfer.ts'

/** In bytes. The file on the instance is read as a whole before each upload, to see whether somebody changed it. */
export const longestCopy = 16_000_000
/** Each has a folder that is watched. */
export const mostCopies = 50

/** How a copy of an instance's file stands, which a program of this computer edits. */
const copyState = z.discriminatedUnion('kind', [
  /** Nothing is to be uploaded. In milliseconds since the epoch; `null`: nothing was uploaded in this run. */
  z.object({ kind: z.literal('same'), uploadedAt: z.number().nullable() }),
  z.object({ kind: z.literal('uploading') }),
  /** For a connection. `problem` is why there's none; `null`: none was tried in this run. */
  z.object({ kind: z.literal('waiting'), problem: transferProblem.nullable() }),
  /** Somebody changed the file there. */
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('asks-in-place'), why: inPlaceReason }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
  z.object({ kind: z.literal('too-long') }),
  /** The copy was deleted or moved, and not by Slipway. */
  z.object({ kind: z.literal('missing') }),
])
export type CopyState = z.infer<typeof copyState>

/** A copy of an instance's file on this computer. */
export const editedCopy = remoteFile.extend({ id: z.string().min(1).max(64), state: copyState })
export type EditedCopy = z.infer<typeof editedCopy>

/** Whether the copy is all that there is of what the user edited. */
export function isEditedOnly({ state }: EditedCopy): boolean {
  return state.kind !== 'same' && state.kind !== 'missing'
}

/** Both sides of a copy whose file was changed there. Texts are `null` where one of them is none. */
export const copyConflict = z.object({ theirs, mine: z.string().nullable(), isIncomplete: z.boolean() })
export type CopyConflict = z.infer<typeof copyConflict>

/** What is done about a copy that wasn't uploaded. */
export const copyAnswer = z.discriminatedUnion('kind', [
  /** `seen`: the version that was shown, and nothing later. */
  z.object({ kind: z.literal('overwrite'), seen: theirs.shape.version }),
  /** What is on the instance takes the place of the copy. */
  z.object({ kind: z.literal('keep-theirs') }),
  z.object({ kind: z.literal('in-place') }),
  z.object({ kind: z.literal('try-again') }),
])
export type CopyAnswer = z.infer<typeof copyAnswer>

/** What came of removing a copy. */
export const stopOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stopped') }),
  /** A program saved other files beside the copy, which is removed. */
  z.object({ kind: z.literal('others-stay'), folder: z.string() }),
  z.object({ kind: z.literal('not-uploaded') }),
])
export type StopOutcome = z.infer<typeof stopOutcome>

/** What came of opening a file in the user's own program. */
export const ownEditorOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened') }),
  /** No program was chosen yet. */
  z.object({ kind: z.literal('no-editor') }),
  z.object({ kind: z.literal('not-started'), program: z.string() }),
  z.object({ kind: z.literal('refused'), why: z.enum(['folder', 'not-a-file', 'too-long']) }),
  /** Files of these instances are open already. */
  z.object({ kind: z.literal('too-many'), instanceIds: z.array(z.number().int()).readonly() }),
  /** The user stopped it meanwhile. */
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type OwnEditorOutcome = z.infer<typeof ownEditorOutcome>
