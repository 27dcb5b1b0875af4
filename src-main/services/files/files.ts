import { basename, dirname } from 'node:path'
import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import type { ChosenPlace } from '../../domain/files/transfer.ts'
import { FileBrowser } from './file-browser.ts'
import { createLocalTree, type LocalTreeOptions } from './local-tree.ts'
import type { Connect } from './session.ts'
import type { SessionPool } from './session-pool.ts'
import type { TransfersFile } from './transfer-store.ts'
import { Transfers } from './transfers.ts'

export interface FilesOptions extends LocalTreeOptions {
  /** The system's dialog: paths, none when the user leaves it. */
  readonly chooseToUpload: (kind: 'files' | 'folders') => Promise<readonly string[]>
  readonly connect: Connect
  /** For transfers whose link was lost. */
  readonly regain: Connect
  /** Whether there is a connection to the instance now. */
  readonly isConnected: (instanceId: number) => boolean
  /** Shared with nobody else, but that others may have its idle ones closed. */
  readonly sessions: SessionPool
  /** Where transfers are kept that are not over. */
  readonly file: TransfersFile
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/** Files of this computer and of instances: what is there, and what is on its way. */
export interface Files {
  readonly browser: FileBrowser
  readonly transfers: Transfers
  /** Asks the user what to upload. */
  readonly choose: (kind: 'files' | 'folders') => Promise<readonly ChosenPlace[]>
  readonly dispose: () => Promise<void>
}

/** Puts {@link Files} together. */
export function createFiles({
  homeFolder,
  platform,
  trash,
  umask,
  chooseToUpload,
  ...shared
}: FilesOptions): Files {
  const localTree = createLocalTree({ homeFolder, platform, trash, umask })
  const { connect, sessions, log } = shared
  const browser = new FileBrowser({ localTree, connect, sessions, log })
  const transfers = new Transfers({ ...shared, localTree })
  return {
    browser,
    transfers,
    choose: async (kind) => placesOf(await chooseToUpload(kind)),
    dispose: async () => {
      await transfers.dispose()
      sessions.dispose()
    },
  }
}

/** Paths by the folders that they are in: each is a transfer of its own. A root has no name, and is left out. */
export function placesOf(paths: readonly string[]): readonly ChosenPlace[] {
  const byFolder = Map.groupBy(
    paths.filter((path) => basename(path) !== ''),
    (path) => dirname(path),
  )
  return [...byFolder].map(([from, inside]) => ({ from, names: inside.map((path) => basename(path)) }))
}
