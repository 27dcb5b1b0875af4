import { isUnknown, visibleText, type Field, type FieldFormat, type FieldRecord } from './field-format.ts'
import { isSecretName } from './secret-field.ts'

type Options = Partial<Pick<Field, 'unit' | 'shown'>>

/** Makes the fields of one group of a catalog. */
export function fieldGroup(group: string): {
  readonly text: (name: string, label: string, options?: Options) => Field
  readonly number: (
    name: string,
    label: string,
    options?: Options & { readonly decimals?: number; readonly scale?: number },
  ) => Field
  readonly usd: (
    name: string,
    label: string,
    unit: string,
    options?: Options & { readonly decimals?: number },
  ) => Field
  readonly measure: (name: string, label: string, options?: Options & { readonly decimals?: number }) => Field
  readonly count: (name: string, label: string, options?: Options) => Field
  readonly integer: (name: string, label: string, options?: Options) => Field
  readonly time: (name: string, label: string, options?: Options) => Field
  readonly yesNo: (name: string, label: string, options?: Options) => Field
} {
  const field = (name: string, label: string, format: FieldFormat, options: Options = {}): Field => ({
    name,
    label,
    unit: options.unit ?? null,
    format,
    align: format.kind === 'text' || format.kind === 'time' || format.kind === 'yes-no' ? 'left' : 'right',
    group,
    shown: options.shown ?? false,
  })
  return {
    text: (name, label, options) => field(name, label, { kind: 'text' }, options),
    number: (name, label, { decimals = 0, scale = 1, ...options } = {}) =>
      field(name, label, { kind: 'number', decimals, scale }, options),
    usd: (name, label, unit, { decimals = 3, ...options } = {}) =>
      field(name, label, { kind: 'usd', decimals }, { ...options, unit }),
    measure: (name, label, { decimals = 0, ...options } = {}) =>
      field(name, label, { kind: 'measure', decimals }, options),
    count: (name, label, options) => field(name, label, { kind: 'count' }, options),
    integer: (name, label, options) => field(name, label, { kind: 'integer' }, options),
    time: (name, label, options) => field(name, label, { kind: 'time' }, options),
    yesNo: (name, label, options) => field(name, label, { kind: 'yes-no' }, options),
  }
}

const longestLabel = 60

/** The service's own name, as far as it can be seen and there is room for it. */
function labelOfName(name: string): string {
  const label = visibleText(name.length > longestLabel ? `${name.slice(0, longestLabel)}…` : name)
  return label.trim() === '' ? '(no name)' : label
}

/** The heading of the fields that no catalog names. */
export const otherGroup = 'Other'

/** Fields under one heading. */
export interface FieldGroup {
  readonly group: string
  /** Whether the API's document names them. Others are only seen in replies, and what they mean is read into them. */
  readonly isDocumented: boolean
  readonly fields: readonly Field[]
}

/** A set of known fields, in the order in which they are shown. */
export class FieldCatalog {
  readonly fields: readonly Field[]
  readonly #byName: ReadonlyMap<string, Field>
  readonly #documented: ReadonlySet<string>

  /** @param documented names of the fields that the API's document has */
  constructor(documented: readonly string[], fields: readonly Field[]) {
    this.fields = fields
    this.#documented = new Set(documented)
    this.#byName = new Map(fields.map((field) => [field.name, field]))
  }

  /** How a field is shown; one that is not known is shown raw, under its own name. Any name may come. */
  field(name: string): Field {
    return (
      this.#byName.get(name) ?? {
        name,
        label: labelOfName(name),
        unit: null,
        format: { kind: 'text' },
        align: 'left',
        group: otherGroup,
        shown: false,
      }
    )
  }

  /** The fields that at least one record has: the known ones in the catalog's order, then the others by name. */
  present(records: readonly FieldRecord[]): readonly Field[] {
    const names = new Set<string>()
    // Ten thousand records have half a million names: no list of them all.
    for (const record of records) for (const name of Object.keys(record)) names.add(name)
    const others = [...names].filter((name) => !this.#byName.has(name)).toSorted()
    return [...this.fields.filter(({ name }) => names.has(name)), ...others.map((name) => this.field(name))]
  }

  /** Fields under their headings, in the order in which they come: those that are documented, then the others. */
  grouped(fields: readonly Field[]): readonly FieldGroup[] {
    return [true, false].flatMap((isDocumented) => {
      const ofKind = fields.filter(({ name }) => this.#documented.has(name) === isDocumented)
      const groups = Map.groupBy(ofKind, ({ group }) => group)
      return [...groups].map(([group, inGroup]) => ({ group, isDocumented, fields: inGroup }))
    })
  }
}

export interface Sorting {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Anything in the order of what it has for a field. What is unknown comes last in either direction; ties keep their order. */
export function sortedByValue<T>(
  records: readonly T[],
  { field, direction }: Sorting,
  valueOf: (record: T, name: string) => unknown,
): readonly T[] {
  // A masked value must not be guessed from its place.
  if (isSecretName(field.name)) return records
  const keyed = records.map((record) => ({ record, key: sortKey(valueOf(record, field.name)) }))
  const sign = direction === 'asc' ? 1 : -1
  return keyed
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null)
      return sign * compareKeys(a.key, b.key)
    })
    .map(({ record }) => record)
}

function sortKey(value: unknown): number | string | null {
  if (isUnknown(value)) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return Number(value)
  return JSON.stringify(value) ?? null
}

/** Numbers before texts, so that a field of mixed types still has one order. */
function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
  return typeof a === 'number' ? -1 : 1
}
