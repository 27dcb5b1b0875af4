import { z } from 'zod'
import { isSameJson } from '../domain/base/json-value.ts'
import type { FieldRecord } from '../domain/fields/field-format.ts'
import {
  instancesList,
  type InstancesList,
  type ListedInstance,
} from '../domain/instances/listed-instance.ts'
import { bulk } from './bulk.ts'

/** One instance beside what was told of it before. */
export interface InstanceChange {
  readonly id: number
  /** All of it but the record, when something of that has changed. */
  readonly rest?: Omit<ListedInstance, 'record'>
  /** Fields of the record that are new or have changed, and names of those that are gone. */
  readonly fields?: FieldRecord
  readonly gone?: readonly string[]
}

/**
 * A list of instances as it crosses: what has changed since the one that the same watcher was told before. All the
 * instances of a large account are megabytes, and most of each record is the same for as long as it's rented.
 */
export const instancesChange = instancesList.extend({
  /** 0 for the first one, which tells all, and then one more each time: a change fits only the list before it. */
  place: z.int().min(0),
  instances: z
    .object({
      /** All that are listed, in their order; none when they are the same as before. */
      ids: z.array(z.number().int()).readonly().optional(),
      changed: bulk<InstanceChange>(),
    })
    .nullable(),
})
export type InstancesChange = z.infer<typeof instancesChange>

/** Main's half: the first one tells all, each further one what has changed since. */
export async function* changesOf(
  lists: AsyncIterable<InstancesList>,
): AsyncGenerator<InstancesChange, void, void> {
  let told = new Map<number, ListedInstance>()
  let toldIds: readonly number[] = []
  let place = 0
  for await (const { instances, ...others } of lists) {
    const changed: InstanceChange[] = []
    for (const instance of instances ?? []) {
      const change = changeOf(told.get(instance.id), instance)
      if (change === null) continue
      changed.push(change)
      told.set(instance.id, instance)
    }
    const ids = instances?.map(({ id }) => id) ?? []
    const isSameOrder = isSameJson(ids, toldIds)
    yield { ...others, place, instances: instances && { ...(!isSameOrder && { ids }), changed } }
    told = byId(instances ?? [])
    toldIds = ids
    place += 1
  }
}

/**
 * The window's half: the watch that gives the lists whole again. An instance of which nothing has changed is the same
 * object as before, and so is a list in which nothing has.
 */
export function wholeLists<Options>(
  watch: (input?: undefined, options?: Options) => Promise<AsyncIterable<InstancesChange>>,
) {
  return async (_?: undefined, options?: Options): Promise<AsyncGenerator<InstancesList, void, void>> =>
    wholeAgain(await watch(undefined, options))
}

async function* wholeAgain(
  changes: AsyncIterable<InstancesChange>,
): AsyncGenerator<InstancesList, void, void> {
  let before: readonly ListedInstance[] = []
  let next = 0
  for await (const { instances: change, place, ...others } of changes) {
    // Whoever follows it then begins anew, with all (ipc/watch.ts).
    if (place !== next) throw new Error(`Of the list of instances change ${place} came in place of ${next}`)
    next += 1
    const instances = change && changedList(before, change)
    before = instances ?? []
    yield { ...others, instances }
  }
}

function changeOf(before: ListedInstance | undefined, now: ListedInstance): InstanceChange | null {
  if (before === now) return null
  const { record: recordBefore = {}, ...restBefore } = before ?? {}
  const { record, ...rest } = now
  const names = changedNames(recordBefore, record)
  const isRestSame = changedNames(restBefore, rest).length === 0
  if (isRestSame && names.length === 0) return null
  const there = names.filter((name) => Object.hasOwn(record, name))
  const gone = names.filter((name) => !Object.hasOwn(record, name))
  return {
    id: now.id,
    ...(!isRestSame && { rest }),
    ...(there.length > 0 && { fields: Object.fromEntries(there.map((name) => [name, record[name]])) }),
    ...(gone.length > 0 && { gone }),
  }
}

/** Names under which the two have something else, or only one of them has anything. */
function changedNames(before: FieldRecord, now: FieldRecord): readonly string[] {
  const isOther = (name: string): boolean =>
    !Object.hasOwn(before, name) || !isSameJson(before[name], now[name])
  return [
    ...Object.keys(now).filter(isOther),
    ...Object.keys(before).filter((name) => !Object.hasOwn(now, name)),
  ]
}

function changedList(
  before: readonly ListedInstance[],
  { ids, changed }: NonNullable<InstancesChange['instances']>,
): readonly ListedInstance[] {
  if (ids === undefined && changed.length === 0) return before
  const listed = byId(before)
  for (const change of changed) listed.set(change.id, changedInstance(listed.get(change.id), change))
  return (ids ?? before.map(({ id }) => id)).flatMap((id) => listed.get(id) ?? [])
}

function changedInstance(
  before: ListedInstance | undefined,
  { id, rest, fields, gone = [] }: InstanceChange,
): ListedInstance {
  const others = rest ?? before
  if (others === undefined) throw new Error(`Instance ${id} was never told whole`)
  if (fields === undefined && gone.length === 0) return { ...others, record: before?.record ?? { id } }
  const record = { id, ...before?.record, ...fields }
  for (const name of gone) Reflect.deleteProperty(record, name)
  return { ...others, record }
}

function byId(instances: readonly ListedInstance[]): Map<number, ListedInstance> {
  return new Map(instances.map((instance) => [instance.id, instance]))
}
