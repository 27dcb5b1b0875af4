import { join } from 'node:path'
import type { Clock } from '../../domain/base/clock.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import type { Folder } from '../storage/folder.ts'
import { deleteOthers } from '../storage/disk.ts'
import { openJournal } from '../storage/journal.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { DroppedFiles } from './dropped/dropped-files.ts'
import { FileBrowser } from './file-browser.ts'
import { filePlacesFile, KeptPlaces } from './file-places.ts'
import { tellOfCopies } from './open/copy-notices.ts'
import { EditedCopies, editedCopiesFile, type OwnEditor } from './open/edited-copies.ts'
import { OpenedFiles } from './open/opened-files.ts'
import { UnsavedTexts, unsavedTextsFile } from './open/unsaved-texts.ts'
import { createLocalTree, ownUser, placesOf, type LocalTreeOptions } from './local-tree.ts'
import { createJobFiles } from './outputs/job-files.ts'
import { Projects, projectsFile, type ProjectsOptions } from './push/projects.ts'
import { PushedFiles, pushedLine } from './push/pushed-files.ts'
import { FolderSync } from './push/sync.ts'
import { SessionPool } from './session-pool.ts'
import { transfersFile } from './transfer-store.ts'
import { Transfers } from './transfers.ts'

export interface FilesDependencies extends LocalTreeOptions {
  readonly folder: Pick<Folder, 'file'>
  readonly connections: Pick<Connections, 'acquire' | 'openApart' | 'regain' | 'state' | 'tryNow'>
  /** The system's dialog: paths, none when the user leaves it. */
  readonly chooseToUpload: (kind: 'files' | 'folders') => Promise<readonly string[]>
  /** Which instances run, and which are gone. */
  readonly snapshot: ProjectsOptions['snapshot']
  readonly clock: Clock
  /** The user's own program for files of instances. */
  readonly ownEditor: OwnEditor & {
    /** The system's dialog: a path, `null` when the user leaves it. */
    readonly choose: () => Promise<string | null>
    /** On the disk when it resolves. @throws ProblemError storage-failed */
    readonly keep: (program: string | null) => Promise<void>
  }
  readonly showInFolder: (path: string) => void
  readonly randomId: () => string
  readonly log: Log
  readonly notify: (notification: Notification) => void
}

export type FilesService = Awaited<ReturnType<typeof openFiles>>

/**
 * Files of this computer and of the account's instances: what is there, and what is on its way. What was on its way when
 * Slipway ended goes on.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openFiles(from: FilesDependencies, lifetime: Lifetime) {
  const { folder, connections, chooseToUpload, clock } = from
  const sessions = new SessionPool(clock)
  const shared = {
    ...from,
    localTree: createLocalTree({ ...from, user: ownUser() }),
    connect: connections.acquire,
    sessions,
  }
  const isConnected = (instanceId: number): boolean => connections.state(instanceId).value.kind === 'open'
  const transfers = new Transfers({
    ...shared,
    file: await openJsonFile({ ...folder.file('transfers.json'), ...transfersFile }),
    connectApart: connections.openApart,
    regain: connections.regain,
    isConnected,
  })
  const syncOptions = { ...shared, connections }
  const sync = new FolderSync(syncOptions)
  const pushedFolder = folder.file('pushed').path
  const projects = new Projects({
    ...{
      ...shared,
      sync,
      isConnected,
      file: await openJsonFile({ ...folder.file('projects.json'), ...projectsFile }),
    },
    pushedOf: (id) =>
      new PushedFiles(openJournal({ ...folder.file(join('pushed', `${id}.jsonl`)), schema: pushedLine })),
    keepPushed: (ids) => deleteOthers(pushedFolder, new Set(ids.map((id) => `${id}.jsonl`))),
  })
  const unsaved = new UnsavedTexts({
    file: await openJsonFile({ ...folder.file('unsaved-texts.json'), ...unsavedTextsFile }),
    snapshot: from.snapshot,
    now: clock.now,
    log: from.log,
  })
  const opened = new OpenedFiles({ ...shared, isConnected })
  const copies = new EditedCopies({
    ...{ ...from, opened, isConnected, editor: from.ownEditor },
    file: await openJsonFile({ ...folder.file('edited-copies.json'), ...editedCopiesFile }),
    folder: folder.file('edited').path,
    ...{ regain: connections.regain, tryNow: connections.tryNow },
  })
  const places = new KeptPlaces({
    ...from,
    file: await openJsonFile({ ...folder.file('file-places.json'), ...filePlacesFile }),
  })
  lifetime.follow(() => Promise.resolve(transfers.resume()))
  lifetime.follow((signal) => places.follow(signal))
  lifetime.follow((signal) => projects.follow(signal))
  lifetime.follow((signal) => unsaved.follow(signal))
  lifetime.follow((signal) => copies.follow(signal))
  lifetime.follow((signal) => tellOfCopies({ ...from, copies: copies.latest }, signal))
  lifetime.onEnd(async () => {
    await Promise.all([transfers.dispose(), projects.dispose(), copies.dispose()])
    sessions.dispose()
  })
  return {
    /** Makes a folder of an instance like one of this computer. */
    sync,
    /** What goes to an instance for a job, and comes back. */
    forJobs: createJobFiles(sync, syncOptions),
    browser: new FileBrowser(shared),
    /** Files of instances that are shown, edited, and followed. */
    opened,
    /** Files of instances that the user's own program edits. */
    copies,
    unsaved,
    /** Bookmarks, and where each side was last. */
    places,
    transfers,
    projects,
    /** What the user dropped on the page. */
    dropped: new DroppedFiles(clock),
    /** Asks the user what to upload. */
    choose: async (kind: 'files' | 'folders') => placesOf(await chooseToUpload(kind)),
    /** Asks the user for a folder of this computer; `null` when there is none. */
    chooseFolder: async () => (await chooseToUpload('folders'))[0] ?? null,
    /** Asks the user for the program that edits files of instances. @throws ProblemError storage-failed */
    chooseEditor: async () => {
      const program = await from.ownEditor.choose()
      if (program !== null) await from.ownEditor.keep(program)
      return program
    },
    removeEditor: () => from.ownEditor.keep(null),
    /** Closes an idle session, so that a shell gets its place; `false` when there is none. */
    makeRoom: (instanceId: number) => sessions.closeIdle(instanceId),
  }
}
