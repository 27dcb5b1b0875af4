import { forwardsFile } from '../../domain/forwards/forward.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { Forwards, type ForwardsOptions } from './forwards.ts'
import { PortWatch, type PortWatchOptions } from './port-watch.ts'

export interface ForwardsDependencies
  extends Omit<ForwardsOptions, 'file' | 'isJupyter'>, Omit<PortWatchOptions, 'connections'> {
  readonly connections: ForwardsOptions['connections'] & PortWatchOptions['connections']
  readonly folder: Pick<Folder, 'file'>
}

export interface ForwardsService {
  readonly all: Forwards
  readonly ports: PortWatch
  /** As `Forwards.forwardPort`; once it's done, the port isn't offered, also when its forward was stopped. */
  readonly forwardPort: Forwards['forwardPort']
}

/**
 * The account's forwards, and the ports that its instances open. Those forwards that were on when Slipway ended come back.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openForwards(from: ForwardsDependencies, lifetime: Lifetime): Promise<ForwardsService> {
  const file = await openJsonFile({ ...from.folder.file('forwards.json'), ...forwardsFile })
  const ports = new PortWatch(from)
  lifetime.onEnd(() => ports.dispose())
  const forwards = new Forwards({ ...from, file, isJupyter: (id, port) => ports.isJupyter(id, port) })
  lifetime.follow((signal) => {
    forwards.resume()
    return forwards.follow(signal)
  })
  lifetime.onEnd(() => forwards.dispose())
  return {
    all: forwards,
    ports,
    forwardPort: async (instanceId, port) => {
      const made = await forwards.forwardPort(instanceId, port)
      ports.dismiss(instanceId, port)
      return made
    },
  }
}
