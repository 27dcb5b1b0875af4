import type { InstancesSnapshot, RentalNotice } from '../../domain/instances/instance.ts'

/**
 * How long a rental may take to appear in the list, in ms. Three polls of ten seconds: a
 * service that has not listed it by then has not rented it.
 */
const appearsWithinMs = 25_000

export interface LostRental {
  /** When the reply was given up, or, after a crash, when it was sent; ms since the epoch. */
  readonly since: number
  readonly knownIds: ReadonlySet<number>
}

/**
 * What the list of instances says about a rental without a reply. Every instance that was not there before
 * and that no other rental accounts for may be it.
 */
export function settleLostRental(
  { since, knownIds }: LostRental,
  { instances, fetchedAt }: Pick<InstancesSnapshot, 'instances' | 'fetchedAt'>,
): RentalNotice['outcome'] {
  if (instances === null || fetchedAt === null || fetchedAt < since) return { kind: 'checking' }
  const [first, ...others] = instances.map(({ id }) => id).filter((id) => !knownIds.has(id))
  if (first === undefined)
    return fetchedAt - since >= appearsWithinMs ? { kind: 'nothing-created' } : { kind: 'checking' }
  return others.length === 0
    ? { kind: 'adopted', instanceId: first }
    : { kind: 'ambiguous', instanceIds: [first, ...others] }
}
