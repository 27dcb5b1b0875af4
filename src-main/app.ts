import { composeAccountScope } from './account-scope.ts'
import type { Log } from './domain/log.ts'
import type { Unfinished } from './domain/unfinished.ts'
import type { HiddenBy } from './domain/vault-view.ts'
import { createServePort, type ServePort } from './ipc/serve.ts'
import { composeShared } from './shared.ts'
import type { Surroundings } from './surroundings.ts'

export type { Surroundings }

export interface App {
  readonly servePort: ServePort
  readonly log: Log
  /** What nobody sees to once it has ended. */
  readonly unfinished: () => Unfinished
  /** The computer slept: what was known of links and instances may be hours old. */
  readonly wake: () => void
  /** Takes secrets off the screen: nobody may be in front of it any more. */
  readonly hideSecrets: (by: HiddenBy) => void
  /** Ends everything, last made first. */
  readonly dispose: () => Promise<void>
}

/** The composition root: what all accounts use, and then what belongs to one. */
export async function createApp(surroundings: Surroundings): Promise<App> {
  const end = new AbortController()
  const shared = await composeShared(surroundings, end.signal)
  const { log, authenticator, trueClock } = shared
  const scope = await composeAccountScope({ shared, folder: surroundings.userData })
  const servePort = createServePort(scope.services)
  const following = authenticator.follow(end.signal)

  async function dispose(): Promise<void> {
    await authenticator.dispose()
    await scope.dispose()
    end.abort()
    await following
  }

  function wake(): void {
    trueClock.drop()
    scope.wake()
  }

  return { servePort, log, unfinished: scope.unfinished, hideSecrets: authenticator.hide, wake, dispose }
}
