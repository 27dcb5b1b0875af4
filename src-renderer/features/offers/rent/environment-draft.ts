import { type EnvItem, variableNameProblem } from '#domain/env-flags.ts'
import { parsePortMapping } from '#domain/port-mapping.ts'

/** One row as it is typed; `id` keeps it apart from others while it changes. */
export type EnvRow = { readonly id: number } & EnvRowContent
export type EnvRowContent =
  | VariableDraft
  | PortsDraft
  /** What flags said and nobody here understands: it can only be removed. */
  | { readonly kind: 'other'; readonly text: string; readonly why: string }

export interface VariableDraft {
  readonly kind: 'variable'
  readonly name: string
  readonly value: string
}

export interface PortsDraft {
  readonly kind: 'ports'
  /** A port, or a range such as `8000-8010`. */
  readonly host: string
  readonly container: string
  readonly protocol: 'tcp' | 'udp' | null
}

/** What a row means; `null` while nothing is typed into it. */
export type EnvReading =
  | { readonly item: EnvItem; readonly problem: null }
  | { readonly item: null; readonly problem: string }
  | null

export function readRow(row: EnvRowContent): EnvReading {
  switch (row.kind) {
    case 'variable': {
      const name = row.name.trim()
      if (name === '' && row.value === '') return null
      const problem = variableNameProblem(name)
      return problem === null
        ? { item: { kind: 'variable', name, value: row.value }, problem }
        : { item: null, problem }
    }
    case 'ports': {
      const [host, container] = [row.host.trim(), row.container.trim()]
      if (host === '' && container === '') return null
      const mapping = parsePortMapping(
        `${host}:${container}${row.protocol === null ? '' : `/${row.protocol}`}`,
      )
      return mapping
        ? { item: { kind: 'ports', ...mapping }, problem: null }
        : { item: null, problem: 'Two ports from 1 to 65535, or two ranges of one length such as 8000-8010.' }
    }
    case 'other':
      return { item: null, problem: `It cannot be sent. ${row.why}` }
  }
}

export function rowOf(item: EnvItem): EnvRowContent {
  if (item.kind !== 'ports') return item
  const range = (first: number): string =>
    item.count === 1 ? String(first) : `${first}-${first + item.count - 1}`
  return { kind: 'ports', host: range(item.host), container: range(item.container), protocol: item.protocol }
}

/** What each row is wrong about, by its place; a name that stands twice is wrong where it comes again. */
export function problemsOf(readings: readonly EnvReading[]): readonly (string | null)[] {
  const seen = new Set<string>()
  return readings.map((reading) => {
    if (reading === null) return null
    if (reading.problem !== null) return reading.problem
    if (reading.item.kind !== 'variable') return null
    if (seen.has(reading.item.name)) return 'This variable is already there.'
    seen.add(reading.item.name)
    return null
  })
}
