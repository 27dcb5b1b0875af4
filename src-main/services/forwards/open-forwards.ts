import { forwardsFile } from '../../domain/forwards/forward.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { Forwards, type ForwardsOptions } from './forwards.ts'

export interface ForwardsDependencies extends Omit<ForwardsOptions, 'file'> {
  readonly folder: Pick<Folder, 'file'>
}

/**
 * The account's forwards. Those that were on when Slipway ended come back.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openForwards(from: ForwardsDependencies, lifetime: Lifetime): Promise<Forwards> {
  const file = await openJsonFile({ ...from.folder.file('forwards.json'), ...forwardsFile })
  const forwards = new Forwards({ ...from, file })
  lifetime.follow((signal) => {
    forwards.resume()
    return forwards.follow(signal)
  })
  lifetime.onEnd(() => forwards.dispose())
  return forwards
}
