import { z } from 'zod'
import { isSameJson } from '../domain/base/json-value.ts'
import type { FieldRecord } from '../domain/fields/field-format.ts'
import {
  instancesList,
  listedInstance,
  type InstancesList,
  type ListedInstance,
} from '../domain/instances/listed-instance.ts'

/** One instance beside what was told of it before. */
const instanceChange = z.object({
  id: z.number().int(),
  /** All of it but the record, when something of that has changed. */
  rest: listedInstance.omit({ record: true }).optional(),
  /** Fields of the record that are new or have changed, and names of those that are gone. */
  fields: z.record(z.string(), z.unknown()).optional(),
  gone: z.array(z.string()).readonly().optional(),
})
type InstanceChange = z.infer<typeof instanceChange>

/**
 * A list of instances as it crosses: what has changed since the one that the same watcher was told before. All the
 * instances of a large account are megabytes, and most of each record is the same for as long as it's rented.
 */
export const instancesChange = instancesList.extend({
  instances: z
    .object({
      /** All that are listed, in their order. */
      ids: z.array(z.number().int()).readonly(),
      changed: z.array(instanceChange).readonly(),
    })
    .nullable(),
})
export type InstancesChange = z.infer<typeof instancesChange>

/** Main's half: the first one tells all, each further one what has changed since. */
export async function* changesOf(
  lists: AsyncIterable<InstancesList>,
): AsyncGenerator<InstancesChange, void, void> {
  let told = new Map<number, ListedInstance>()
  for await (const { instances, ...others } of lists) {
    const changed: InstanceChange[] = []
    for (const instance of instances ?? []) {
      const change = changeOf(told.get(instance.id), instance)
      if (change === null) continue
      changed.push(change)
      told.set(instance.id, instance)
    }
    yield { ...others, instances: instances && { ids: instances.map(({ id }) => id), changed } }
    told = byId(instances ?? [])
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
  for await (const { instances: change, ...others } of changes) {
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
  const isSameOrder = ids.length === before.length && ids.every((id, at) => before[at]?.id === id)
  if (isSameOrder && changed.length === 0) return before
  const listed = byId(before)
  for (const change of changed) listed.set(change.id, changedInstance(listed.get(change.id), change))
  return ids.flatMap((id) => listed.get(id) ?? [])
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
