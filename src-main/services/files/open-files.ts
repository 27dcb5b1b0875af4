import type { Clock } from '../../domain/base/clock.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { FileBrowser } from './file-browser.ts'
import { createLocalTree, placesOf, type LocalTreeOptions } from './local-tree.ts'
import { SessionPool } from './session-pool.ts'
import { transfersFile } from './transfer-store.ts'
import { Transfers } from './transfers.ts'

export interface FilesDependencies extends LocalTreeOptions {
  readonly folder: Pick<Folder, 'file'>
  readonly connections: Pick<Connections, 'acquire' | 'openApart' | 'regain' | 'state'>
  /** The system's dialog: paths, none when the user leaves it. */
  readonly chooseToUpload: (kind: 'files' | 'folders') => Promise<readonly string[]>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
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
  const shared = { ...from, localTree: createLocalTree(from), connect: connections.acquire, sessions }
  const transfers = new Transfers({
    ...shared,
    file: await openJsonFile({ ...folder.file('transfers.json'), ...transfersFile }),
    connectApart: connections.openApart,
    regain: connections.regain,
    isConnected: (instanceId) => connections.state(instanceId).value.kind === 'open',
  })
  lifetime.follow(() => Promise.resolve(transfers.resume()))
  lifetime.onEnd(async () => {
    await transfers.dispose()
    sessions.dispose()
  })
  return {
    browser: new FileBrowser(shared),
    transfers,
    /** Asks the user what to upload. */
    choose: async (kind: 'files' | 'folders') => placesOf(await chooseToUpload(kind)),
    /** Closes an idle session, so that a shell gets its place; `false` when there is none. */
    makeRoom: (instanceId: number) => sessions.closeIdle(instanceId),
  }
}
