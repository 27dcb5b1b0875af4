import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { createFiles, type FilesOptions } from './files.ts'
import { transfersFile } from './transfer-store.ts'
import { SessionPool } from './session-pool.ts'

export interface FilesDependencies extends Pick<
  FilesOptions,
  'homeFolder' | 'platform' | 'umask' | 'trash' | 'chooseToUpload' | 'clock' | 'randomId' | 'log'
> {
  readonly folder: Pick<Folder, 'file'>
  readonly connections: Pick<Connections, 'acquire' | 'regain' | 'state'>
}

export type FilesService = Awaited<ReturnType<typeof openFiles>>

/**
 * Files of this computer and of the account's instances. What was on its way when Slipway ended goes on.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openFiles(from: FilesDependencies, lifetime: Lifetime) {
  const { connections, clock } = from
  const sessions = new SessionPool(clock)
  const files = createFiles({
    ...from,
    file: await openJsonFile({ ...from.folder.file('transfers.json'), ...transfersFile }),
    connect: connections.acquire,
    regain: connections.regain,
    isConnected: (instanceId) => connections.state(instanceId).value.kind === 'open',
    sessions,
  })
  lifetime.follow(() => Promise.resolve(files.transfers.resume()))
  lifetime.onEnd(() => files.dispose())
  return {
    ...files,
    /** Closes an idle session, so that a shell gets its place; `false` when there is none. */
    makeRoom: (instanceId: number) => sessions.closeIdle(instanceId),
  }
}
