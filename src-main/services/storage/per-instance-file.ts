import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { stepToOwnPart } from '../../domain/base/file-version.ts'
import { Latest } from '../../domain/base/latest.ts'
import { openJsonFile, type JsonFile, type JsonFilePlace, type JsonFileShape } from './json-file.ts'

/** By instance id; each value with when it was written, ms since the epoch. */
export type PerInstanceEntries<Value> = Readonly<Record<string, Value & { readonly at: number }>>

/** What a file with one value per instance holds. */
export interface PerInstanceShape<Value> extends JsonFileShape<PerInstanceEntries<Value>> {
  readonly value: z.ZodType<Value>
  /** The value of an instance that has no entry. */
  readonly none: Value
}

/** The shape of a file of such values; version 1 had a part for each account. */
export function perInstance<Value extends object>(
  value: z.ZodType<Value>,
  none: Value,
): PerInstanceShape<Value> {
  const schema = z.record(z.string(), z.intersection(value, z.object({ at: z.number() })))
  return { value, none, schema, steps: [stepToOwnPart(z.record(z.string(), schema), {})], fallback: {} }
}

/** Beyond it the oldest make room. */
const mostInstances = 5000

export interface PerInstanceOptions<Value> extends Pick<PerInstanceShape<Value>, 'value' | 'none'> {
  readonly file: Pick<JsonFile<PerInstanceEntries<Value>>, 'value' | 'update'>
  readonly now: () => number
}

/** What the user says of single instances, one value each. It stays on this computer. */
export class PerInstanceFile<Value extends object> {
  /** By instance id; the ones that have an entry. */
  readonly latest = new Latest<ReadonlyMap<number, Value>>(new Map())
  readonly #options: PerInstanceOptions<Value>

  constructor(options: PerInstanceOptions<Value>) {
    this.#options = options
    this.#publish()
  }

  /** `none` when nothing is stored. */
  of(instanceId: number): Value {
    return this.latest.value.get(instanceId) ?? this.#options.none
  }

  /** On the disk when it resolves; `none` removes the entry. @throws ProblemError storage-failed, newer-file */
  async write(instanceId: number, value: Value): Promise<void> {
    const { file, none, now } = this.#options
    const at = now()
    await file.update((all) => {
      const { [instanceId]: _, ...others } = all
      const next = isDeepStrictEqual(value, none) ? others : { ...others, [instanceId]: { ...value, at } }
      const newest = Object.entries(next).toSorted(([, one], [, other]) => other.at - one.at)
      return Object.fromEntries(newest.slice(0, mostInstances))
    })
    this.#publish()
  }

  #publish(): void {
    const { file, value } = this.#options
    const all = Object.entries(file.value)
    this.latest.set(new Map(all.map(([id, entry]) => [Number(id), value.parse(entry)])))
  }
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openPerInstanceFile<Value extends object>(
  options: JsonFilePlace & PerInstanceShape<Value>,
): Promise<PerInstanceFile<Value>> {
  const { value, none, clock } = options
  return new PerInstanceFile({ value, none, file: await openJsonFile(options), now: clock.now })
}
