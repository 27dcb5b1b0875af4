import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../domain/log.ts'
import { FileBrowser } from './file-browser.ts'
import { createLocalTree, type LocalTreeOptions } from './local-tree.ts'
import type { Connect } from './session.ts'
import type { TransfersFile } from './kept-transfers.ts'
import { Transfers } from './transfers.ts'

export interface FilesOptions extends LocalTreeOptions {
  readonly connect: Connect
  /** For transfers whose link was lost. */
  readonly regain: Connect
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
  readonly dispose: () => Promise<void>
}

export function createFiles({ homeFolder, platform, trash, ...shared }: FilesOptions): Files {
  const localTree = createLocalTree({ homeFolder, platform, trash })
  const { connect, clock, log } = shared
  const browser = new FileBrowser({ localTree, connect, clock, log })
  const transfers = new Transfers({ ...shared, localTree })
  return {
    browser,
    transfers,
    dispose: async () => {
      browser.dispose()
      await transfers.dispose()
    },
  }
}
