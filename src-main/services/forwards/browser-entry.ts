import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import { instancePortOf, type KeptForward } from '../../domain/forwards/forward.ts'
import { forwardHostName, usualUse } from '../../domain/forwards/forward-name.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import { SshFailure } from '../ssh/failure.ts'
import type { BrowserEntrance } from './listen.ts'
import { findNotebook, type Notebook } from './notebook.ts'
import { makeOneTimeAddress } from './one-time-address.ts'

export interface BrowserEntryOptions {
  readonly connections: Pick<Connections, 'acquire'>
  readonly openPort: (url: string) => Promise<'opened' | 'refused' | 'failed'>
  /** By `process.platform`: what its browsers find. */
  readonly platform: string
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

export interface HostOptions {
  /** Where the forward lets browsers in; `null` while it isn't open. */
  readonly browsers: BrowserEntrance | null
  /** Whether something besides its port speaks for a Jupyter server. */
  readonly mayBeJupyter: boolean
  /** All of the account, which have names of their own. */
  readonly all: readonly KeptForward[]
}

/** How the system's browser comes into what a forward leads to. */
export interface BrowserEntry {
  /**
   * Where browsers come in: at the forward's own name, or where that can't work at the instance's address. Jupyter
   * answers 403 to names other than `localhost` (`ServerApp.local_hostnames`), and so may what usually is Jupyter. Chrome
   * and Firefox find names in `.localhost` by themselves, on all systems; Safari doesn't (WebKit bug 160504), and whether
   * it's macOS's default isn't told.
   */
  readonly hostOf: (kept: KeptForward, options: HostOptions) => string | null
  /**
   * The Jupyter server that an instance says it has on a port. `null` without an answer, too: the page is opened all the
   * same, and the server there asks for the token.
   */
  readonly notebookOf: (instanceId: number, port: number, signal?: AbortSignal) => Promise<Notebook | null>
  /**
   * Opens an entry of an origin; answers whether a program took it. An entry may have a token, which is no argument of
   * the program that opens it: other users could read it there.
   */
  readonly open: (origin: string, entry: string) => Promise<boolean>
  /** Ends addresses that were not used yet. */
  readonly dispose: () => void
}

export function createBrowserEntry({
  connections,
  openPort,
  platform,
  clock,
  randomId,
  log,
}: BrowserEntryOptions): BrowserEntry {
  const disposed = new AbortController()
  return {
    hostOf: (kept, { browsers, mayBeJupyter, all }) => {
      if (browsers === null) return null
      const port = instancePortOf(kept.plan)
      const isAddress =
        mayBeJupyter ||
        kept.isJupyter ||
        (port !== null && usualUse(port) === 'Jupyter') ||
        !browsers.takesNames
      return isAddress || platform === 'darwin' ? browsers.address : forwardHostName(kept, all)
    },
    notebookOf: async (instanceId, port, signal = new AbortController().signal) => {
      try {
        const { client, release } = await connections.acquire(instanceId, signal)
        try {
          return await findNotebook({ client, port, clock, id: randomId() })
        } finally {
          release()
        }
      } catch (error) {
        if (!(error instanceof SshFailure) && !(error instanceof ConnectFailed)) throw error
        log.warn(`The machine could not be asked for its notebooks: ${error.message}`)
        return null
      }
    },
    open: async (origin, entry) => {
      const unused = new AbortController()
      const signal = AbortSignal.any([unused.signal, disposed.signal])
      const address =
        entry !== '/'
          ? await makeOneTimeAddress({ target: `${origin}${entry}`, nonce: randomId(), clock, signal })
          : `${origin}${entry}`
      const isOpened = (await openPort(address)) === 'opened'
      if (!isOpened) unused.abort()
      return isOpened
    },
    dispose: () => disposed.abort(),
  }
}
