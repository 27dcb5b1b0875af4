import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import type { ConnectionsList } from '#domain/ssh/ssh-connection.ts'

/**
 * When the service told the address that a connection goes by, where it couldn't be asked for it and hasn't answered
 * since; otherwise `null`. In ms since the epoch.
 */
export function lastKnownAt(
  connection: ConnectionsList[number] | undefined,
  list: Pick<InstancesSnapshot, 'fetchedAt' | 'problem'> | null,
): number | null {
  if (connection?.addressAsOf === undefined) return null
  const { state, addressAsOf } = connection
  if (!('address' in state) || state.address === null) return null
  const hasAnswered =
    list !== null && list.problem === null && list.fetchedAt !== null && list.fetchedAt > addressAsOf
  return hasAnswered ? null : addressAsOf
}
