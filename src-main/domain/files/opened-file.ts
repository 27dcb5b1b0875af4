import { z } from 'zod'
import { logHits, logPart } from '../base/log-part.ts'
import { transferProblem } from './transfer.ts'

/** Of text that is edited, in bytes: an editor holds all of it. Longer files are read as logs. */
export const longestText = 4_000_000

/** Of pictures that are shown: in bytes, and in pixels once they're drawn (4 bytes each). */
export const longestPicture = 16_000_000
export const mostPixels = 40_000_000
/** The longest side of a picture. */
export const longestSide = 16_384

/** A file of an instance, as its folder's listing names it. */
export const remoteFile = z.object({
  instanceId: z.number().int(),
  folder: z.string().min(1).max(4096),
  name: z.string().min(1).max(1024),
})
export type RemoteFile = z.infer<typeof remoteFile>

/** Stands for what a file holds: equal for equal content alone. */
export const fileVersion = z.string().min(1).max(100)

/** Permissions with set-user-ID, set-group-ID, and sticky bits; `null` where nobody tells them. */
export const fileMode = z.number().int().min(0).max(0o7777).nullable()

/** Why a file can't be changed: the login may not, or its disk can't be written to. */
const readOnlyReason = z.enum(['denied', 'read-only', 'failed'])
export type ReadOnlyReason = z.infer<typeof readOnlyReason>

const text = z.object({
  /** Where it really is, behind links. */
  path: z.string(),
  /** All of it, with its byte order mark and its line ends as they are. */
  text: z.string(),
  version: fileVersion,
  mode: fileMode,
  readOnly: readOnlyReason.nullable(),
})
export type OpenedText = z.infer<typeof text>

const pictureType = z.enum(['image/png', 'image/jpeg', 'image/webp'])
const picture = z.object({
  path: z.string(),
  type: pictureType,
  /** In pixels, as its header says. */
  width: z.number().int(),
  height: z.number().int(),
  /** In bytes. */
  size: z.number(),
  base64: z.string(),
})
export type OpenedPicture = z.infer<typeof picture>

/** Why a file isn't shown, although it can be read. */
const refusal = z.enum(['folder', 'not-a-file', 'binary', 'not-utf8', 'large-picture', 'broken-picture'])
export type Refusal = z.infer<typeof refusal>

/** What a file turned out to be. */
export const openOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text }),
  /** Read piece by piece, and followed. */
  z.object({ kind: z.literal('log'), path: z.string(), isTooLongToEdit: z.boolean() }),
  z.object({ kind: z.literal('picture'), picture }),
  z.object({ kind: z.literal('refused'), why: refusal }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type OpenOutcome = z.infer<typeof openOutcome>

/** What was typed into a file, and isn't saved there. */
export const unsavedText = remoteFile.extend({
  text: z.string().max(longestText),
  /** What the file held that was edited; `null` where it was deleted meanwhile. */
  expected: fileVersion.nullable(),
  /** What the file had when it was opened: it's given to one that is made again. */
  mode: fileMode,
})
export type UnsavedText = z.infer<typeof unsavedText>

/** A file that has unsaved text. `changedAt` in milliseconds since the epoch. */
export const unsavedFile = remoteFile.extend({ changedAt: z.number() })
export type UnsavedFile = z.infer<typeof unsavedFile>

/** `expected` is what the file must hold for it to be replaced; `null`: there must be none. */
export const saveOrder = unsavedText.extend({
  /** Writes into the file, where it can't be replaced by a new one: what breaks off midway leaves half of it. */
  inPlace: z.boolean(),
})
export type SaveOrder = z.infer<typeof saveOrder>

/** What became of a file since it was opened: its text is `null` when it can't be edited any more. */
export const theirs = z.object({ version: fileVersion.nullable(), text: z.string().nullable() })
export type Theirs = z.infer<typeof theirs>

/** Why a file can't be replaced by a new one without changing more than its text. */
export const inPlaceReason = z.enum(['owner', 'folder'])
export type InPlaceReason = z.infer<typeof inPlaceReason>

/** What came of a save. Nothing was written unless it's `saved`, or `failed` while writing in place. */
export const saveOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), version: fileVersion }),
  /** It's another than expected. `isIncomplete`: the save before broke off while it wrote into the file itself. */
  z.object({ kind: z.literal('changed'), theirs, isIncomplete: z.boolean() }),
  z.object({ kind: z.literal('asks-in-place'), why: inPlaceReason }),
  z.object({ kind: z.literal('too-long') }),
  z.object({
    kind: z.literal('failed'),
    problem: transferProblem,
    /** Half a file beside it, removed with the next save. */
    left: z.string().nullable(),
    /** The file itself may be half written. */
    isIncomplete: z.boolean(),
  }),
])
export type SaveOutcome = z.infer<typeof saveOutcome>

/** A log's end, whenever there is more of it. */
export const followedLog = z.object({
  /** Another number: the log begins anew, because the file was replaced or emptied. */
  turn: z.number().int(),
  part: logPart.nullable(),
  /** Why nothing new comes; `null` while it may. */
  problem: transferProblem.nullable(),
})
export type FollowedLog = z.infer<typeof followedLog>

export const logPartOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), part: logPart }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type LogPartOutcome = z.infer<typeof logPartOutcome>

export const logSearchOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('searched'), found: logHits }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type LogSearchOutcome = z.infer<typeof logSearchOutcome>
