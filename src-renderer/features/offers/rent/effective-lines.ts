import { isSecretName, maskedText } from '#domain/fields/secret-field.ts'
import { itemsOfEnv } from '#domain/renting/env-flags.ts'
import { counted } from '#domain/base/plural.ts'
import { formatPortMapping, type PortMapping, portRanges } from '#domain/renting/port-mapping.ts'
import type { EffectiveRequest, MergedEntry, Sourced } from '#domain/templates/template-merge.ts'
import { fieldLabels } from '#shared/templates/field-labels.ts'
import { formatNumber } from '#ui/format.ts'

/** One value of the effective request, in words. */
export interface EffectiveLine {
  readonly key: string
  readonly name: string
  readonly value: string
  readonly source: 'template' | 'request' | 'default' | 'merged'
  /** What the template says instead. */
  readonly replaced: string | null
  /** Whether it is a part of the line above. */
  readonly isPart: boolean
}

/** What the template editor calls each field. */
const labels: Readonly<Record<string, string>> = fieldLabels

/** The effective request as lines; the environment and the filters are told key by key under their own line. */
export function effectiveLines(effective: EffectiveRequest): readonly EffectiveLine[] {
  const { image, diskGb, onstart, env, extraFilters, volume, further } = effective
  return [
    ...line('Image', image, String),
    ...line('Disk', diskGb, (gb) => `${formatNumber(gb, 2)} GB`),
    ...line('Volume', volume, ({ mount_path: path }) => path),
    ...object(
      'Environment',
      env.filter((entry) => portOf(entry) === null),
      String,
    ),
    ...portLines(env.filter((entry) => portOf(entry) !== null)),
    ...line('Start script', onstart, String).map(withoutKept),
    ...further.flatMap((entry) => line(labels[entry.name] ?? entry.name, entry, textOf)),
    ...object(fieldLabels.extra_filters, extraFilters, textOf),
  ]
}

function line<T>(
  name: string,
  sourced: Sourced<T> | null,
  text: (value: T) => string,
): readonly EffectiveLine[] {
  if (sourced === null) return []
  const { value, source, replaced } = sourced
  const isSame = replaced === undefined || text(replaced) === text(value)
  return [
    { key: name, name, value: text(value), source, replaced: isSame ? null : text(replaced), isPart: false },
  ]
}

/** A script that is sent with a first step for the key still runs. */
function withoutKept(script: EffectiveLine): EffectiveLine {
  const isKept = script.replaced !== null && script.value.endsWith(script.replaced)
  return isKept ? { ...script, replaced: null } : script
}

/** An object that is merged by key: what it is as a whole, then each key. What sounds like a secret is masked. */
function object<T>(
  name: string,
  entries: readonly MergedEntry<T>[],
  text: (value: T) => string,
): readonly EffectiveLine[] {
  const sources = [...new Set(entries.map(({ source }) => source))]
  const [only] = sources
  if (only === undefined) return []
  return [
    {
      key: name,
      name,
      value: counted(entries.length, 'entry', 'entries'),
      source: sources.length === 1 ? only : 'merged',
      replaced: null,
      isPart: false,
    },
    ...entries.flatMap((entry) =>
      line(entry.name, entry, isSecretName(entry.name) ? () => maskedText : text).map((one) => ({
        ...one,
        key: `${name} ${entry.name}`,
        isPart: true,
      })),
    ),
  ]
}

/** Ports by their sources; those in a row as the range that they are, for thousands of them may be spelled out. */
function portLines(entries: readonly MergedEntry<string>[]): readonly EffectiveLine[] {
  const sources = [...new Set(entries.map(({ source }) => source))]
  const [only] = sources
  if (only === undefined) return []
  const parts = sources.flatMap((source) =>
    portRanges(entries.flatMap((entry) => (entry.source === source ? (portOf(entry) ?? []) : []))).map(
      (range): EffectiveLine => ({
        key: `${source} -p ${formatPortMapping(range)}`,
        name: `-p ${formatPortMapping(range)}`,
        value: range.count === 1 ? '' : counted(range.count, 'port'),
        source,
        replaced: null,
        isPart: true,
      }),
    ),
  )
  return [
    {
      key: 'Ports',
      name: 'Ports',
      value: counted(entries.length, 'port'),
      source: sources.length === 1 ? only : 'merged',
      replaced: null,
      isPart: false,
    },
    ...parts,
  ]
}

function portOf({ name, value }: MergedEntry<string>): PortMapping | null {
  const [item] = itemsOfEnv({ [name]: value })
  return item?.kind === 'ports' ? item : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
