import type { ActivityEntry, ActivityEvent } from '../../domain/instances/activity.ts'
import { outlookOf, statusOutlook } from '../../domain/instances/instance-status.ts'
import { endsInstance, type WatchedInstance } from '../../domain/instances/instance.ts'
import { formatSshAddress, sshAddressesOf } from '../../domain/ssh/ssh-address.ts'
import { addressKind, type AddressKind } from '../../domain/ssh/ssh-choice.ts'

export interface ActivityChange {
  readonly instanceId: number
  readonly event: ActivityEvent
}

/** What happened between two lists. `entriesOf` tells what is already known of an instance, the newest last. */
export function changesBetween(
  before: readonly WatchedInstance[],
  after: readonly WatchedInstance[],
  entriesOf: (id: number) => readonly ActivityEntry[],
): readonly ActivityChange[] {
  const known = new Map(before.map((instance) => [instance.id, instance]))
  const listed = new Set(after.map(({ id }) => id))
  const gone = before
    .filter(({ id }) => !listed.has(id))
    .map(({ id }) => ({
      instanceId: id,
      event: { kind: 'gone', asked: wasAskedToGo(entriesOf(id)) } as const,
    }))
  return [
    ...gone,
    ...after.flatMap((instance) => {
      const earlier = known.get(instance.id)
      const events = earlier ? changesOf(earlier, instance) : appearance(instance, entriesOf(instance.id))
      return events.map((event) => ({ instanceId: instance.id, event }))
    }),
  ]
}

function changesOf(before: WatchedInstance, after: WatchedInstance): readonly ActivityEvent[] {
  const events: ActivityEvent[] = []
  if (before.status !== after.status)
    events.push({ kind: 'status', from: before.status, to: after.status, ...stopOf(after) })
  const former = addressesOf(before)
  const now = addressesOf(after)
  for (const of of addressKind.options)
    if (former[of] !== now[of]) events.push({ kind: 'address', of, address: now[of] })
  return events
}

/** Not a second time for one that was known before, such as when only the last list was lost. */
function appearance(instance: WatchedInstance, entries: readonly ActivityEntry[]): readonly ActivityEvent[] {
  const last = entries.at(-1)
  if (last && last.event.kind !== 'gone' && last.event.kind !== 'rented') return []
  const addresses = addressesOf(instance)
  return [
    { kind: 'appeared', status: instance.status, ...stopOf(instance) },
    ...addressKind.options.flatMap((of) => {
      const address = addresses[of]
      return address === null ? [] : [{ kind: 'address', of, address } as const]
    }),
  ]
}

/** What its status doesn't say by itself. */
function stopOf(instance: WatchedInstance): { readonly isStopped?: true } {
  const isStopped =
    outlookOf(instance).kind === 'stopped' && statusOutlook(instance.status).kind === 'dead-end'
  return isStopped ? { isStopped } : {}
}

function wasAskedToGo(entries: readonly ActivityEntry[]): boolean {
  const last = entries.findLast(
    ({ event }) => (event.kind === 'asked' || event.kind === 'refused') && endsInstance[event.action],
  )
  return last?.event.kind === 'asked'
}

/** Both as listed: which one is used is for a connection to find out. */
function addressesOf({ record }: WatchedInstance): Readonly<Record<AddressKind, string | null>> {
  const { direct, proxy } = sshAddressesOf(record)
  return { direct: direct && formatSshAddress(direct), proxy: proxy && formatSshAddress(proxy) }
}
