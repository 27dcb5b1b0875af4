import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import {
  entryName,
  fileChange,
  fileChangeOutcome,
  folderPath,
  folderSizeOutcome,
} from '../domain/files/file-change.ts'
import {
  copyAnswer,
  copyConflict,
  editedCopy,
  ownEditorOutcome,
  stopOutcome,
} from '../domain/files/edited-copy.ts'
import { filePlaces } from '../domain/files/file-places.ts'
import {
  followedLog,
  logPartOutcome,
  logSearchOutcome,
  openOutcome,
  remoteFile,
  saveOrder,
  saveOutcome,
  unsavedFile,
  unsavedText,
} from '../domain/files/opened-file.ts'
import {
  chosenPlace,
  conflictChoice,
  filePlace,
  transfer,
  transferOrder,
  transferProblem,
  type FileEntry,
} from '../domain/files/transfer.ts'
import { projectDraft, projectState, reviewAnswers, reviewOutcome } from '../domain/files/project.ts'
import { accountProcedure, nothing, procedure } from './base.ts'
import { bulk } from './bulk.ts'

/** `step` is what to enter from there: the name of an entry, `..`, or `null` to stay. An empty path is home. */
const place = z.object({ path: z.string().max(4096), step: z.string().max(1024).nullable() })
const one = z.object({ id: z.string().min(1).max(64) })
/** As `FolderOutcome`: a folder may have ten thousands of entries. */
const folderOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('listed'),
    path: z.string(),
    entries: bulk<FileEntry>(),
    omitted: z.number().int(),
  }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])

export const files = {
  listLocal: procedure.input(place).output(folderOutcome),
  /** Connects to the instance if nothing else has. */
  listRemote: procedure.input(place.extend({ instanceId: z.number().int() })).output(folderOutcome),
  /** Leaving the call stops a removal where it is. */
  change: procedure.input(z.object({ place: filePlace, change: fileChange })).output(fileChangeOutcome),
  /** What a folder in this folder holds. Leaving the call ends it. */
  measure: procedure
    .input(z.object({ place: filePlace, folder: folderPath, name: entryName }))
    .output(folderSizeOutcome),
  /** Bookmarks, and the folders that were shown last. */
  watchPlaces: procedure.output(eventIterator(filePlaces)),
  setBookmark: accountProcedure
    .input(z.object({ place: filePlace, path: folderPath, isOn: z.boolean() }))
    .output(nothing),
  /** That this folder is shown on the page of files: it begins there next time. */
  noteShown: accountProcedure.input(z.object({ place: filePlace, path: folderPath })).output(nothing),
  /** Asks with the system's dialog, which alone tells where files are; none when the user leaves it. */
  choose: procedure
    .input(z.object({ kind: z.enum(['files', 'folders']) }))
    .output(z.array(chosenPlace).readonly()),
  /**
   * What the user has just dropped on this page, once; none when no file of this computer was. `at` is the time stamp of
   * the event, which tells two drops apart; all else the preload script alone has told.
   */
  takeDropped: procedure.input(z.object({ at: z.number() })).output(z.array(chosenPlace).readonly()),
  /** All transfers of this run, the oldest first. */
  watchTransfers: procedure.output(eventIterator(z.array(transfer).readonly())),
  startTransfer: accountProcedure.input(transferOrder).output(one),
  /** The answer to `asking`. */
  answerConflicts: procedure.input(one.extend({ choice: conflictChoice })).output(nothing),
  /** Whether a notification tells, once, when it ends or needs an answer. */
  notifyWhenDone: procedure.input(one.extend({ isOn: z.boolean() })).output(nothing),
  /** Removes what is half done. */
  cancelTransfer: procedure.input(one).output(nothing),
  /** Until it's resumed, also over a restart. */
  pauseTransfer: procedure.input(one).output(nothing),
  resumeTransfer: procedure.input(one).output(nothing),
  /** All that aren't over, also those that the window doesn't know of yet. */
  pauseAllTransfers: procedure.output(nothing),
  resumeAllTransfers: procedure.output(nothing),
  /** Gives one of the queue the place of its neighbor there. */
  moveTransfer: procedure.input(one.extend({ to: z.enum(['earlier', 'later']) })).output(nothing),
  /** Goes on where it failed. */
  retryTransfer: procedure.input(one).output(nothing),
  /** Asks with the system's dialog for a folder of this computer; `null` when the user leaves it. */
  chooseFolder: procedure.output(z.string().nullable()),
  watchProjects: procedure.output(eventIterator(z.array(projectState).readonly())),
  /** Adds a project, or changes one; with other folders under another id. */
  saveProject: accountProcedure.input(projectDraft).output(one),
  /** What is on the instance stays. */
  removeProject: procedure.input(one).output(nothing),
  /** How a project's folders differ. Connects to the instance if nothing else has. */
  reviewProject: accountProcedure.input(one).output(reviewOutcome),
  /** Begins a push, with the answers to what the last review found. */
  pushProject: accountProcedure.input(one.extend({ answers: reviewAnswers })).output(nothing),
  /** Ends the push that is under way. */
  cancelPush: procedure.input(one).output(nothing),
  /** Takes one that is over off the list; what is half done is removed, where it can be reached. */
  forgetTransfer: procedure.input(one).output(nothing),
  /** What a file is, and what is shown of it. Connects to the instance if nothing else has. */
  open: procedure.input(remoteFile.extend({ asLog: z.boolean() })).output(openOutcome),
  /** Replaces a file's text, as long as the file is what it's expected to be. */
  save: accountProcedure.input(saveOrder).output(saveOutcome),
  /** Follows the end of a log: the newest text, at most 64 KiB of it. */
  followLog: procedure.input(remoteFile).output(eventIterator(followedLog)),
  /** A part of a log; at most 256 KiB. */
  readLog: procedure
    .input(remoteFile.extend({ from: z.number().int().min(0), bytes: z.number().int().min(1).max(262_144) }))
    .output(logPartOutcome),
  /** Lines that have these characters, whatever their case: the first ones from a byte on, at most 200. */
  searchLog: procedure
    .input(remoteFile.extend({ text: z.string().min(1).max(200), from: z.number().int().min(0) }))
    .output(logSearchOutcome),
  /** Opens a file in the user's own program; what is saved there is uploaded. Connects if nothing else has. */
  openInEditor: accountProcedure.input(remoteFile).output(ownEditorOutcome),
  /** Asks with the system's dialog which program that is; `null` when the user leaves it. */
  chooseEditor: procedure.output(z.string().nullable()),
  removeEditor: procedure.output(nothing),
  watchCopies: procedure.output(eventIterator(z.array(editedCopy).readonly())),
  /** Both sides of one that is `changed`; `null` for others. */
  readCopyConflict: procedure.input(one).output(copyConflict.nullable()),
  answerCopy: accountProcedure.input(one.extend({ answer: copyAnswer })).output(nothing),
  /** Removes it from this computer; with `mayLose`, also one that isn't uploaded. */
  stopCopy: procedure.input(one.extend({ mayLose: z.boolean() })).output(stopOutcome),
  /** In the system's file manager. */
  showCopy: procedure.input(one).output(nothing),
  /** Files with text that isn't saved, the latest first. */
  watchUnsaved: procedure.output(eventIterator(z.array(unsavedFile).readonly())),
  /** `null` for none. */
  readUnsaved: procedure.input(remoteFile).output(unsavedText.nullable()),
  /** On the disk when it resolves; `false` where there's no more room. Only while `over` is what is kept; `null` for any. */
  keepUnsaved: accountProcedure
    .input(unsavedText.extend({ over: unsavedText.shape.text.nullable() }))
    .output(z.boolean()),
  /** Only while it's this text that is kept; `null` for any. */
  discardUnsaved: procedure
    .input(remoteFile.extend({ text: unsavedText.shape.text.nullable() }))
    .output(nothing),
}
