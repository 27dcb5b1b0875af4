import { thisComputer, type FilePlace, type TransferOrder } from '#domain/files/transfer.ts'

/** Whose files an upload or a download copies, and whose they become. */
export function placesFor(
  direction: 'upload' | 'download',
  instanceId = 1,
): Pick<TransferOrder, 'source' | 'target'> {
  const instance: FilePlace = { side: 'remote', instanceId }
  return direction === 'upload'
    ? { source: thisComputer, target: instance }
    : { source: instance, target: thisComputer }
}
