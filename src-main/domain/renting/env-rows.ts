import { z } from 'zod'
import { type EnvItem, isOtherFlag, variableNameProblem } from './env-flags.ts'
import { clashingPort, parsePortMapping, type PortMapping } from './port-mapping.ts'

const variableDraft = z.object({ kind: z.literal('variable'), name: z.string(), value: z.string() })
export type VariableDraft = z.infer<typeof variableDraft>

const portsDraft = z.object({
  kind: z.literal('ports'),
  /** A port, or a range such as `8000-8010`. */
  host: z.string(),
  container: z.string(),
  protocol: z.enum(['tcp', 'udp']).nullable(),
})
export type PortsDraft = z.infer<typeof portsDraft>

/** What is typed into one row. */
export const envRowContent = z.discriminatedUnion('kind', [
  variableDraft,
  portsDraft,
  /** What flags said and nobody here understands: it can be removed, and in a template be kept. */
  z.object({ kind: z.literal('other'), text: z.string(), why: z.string() }),
])
export type EnvRowContent = z.infer<typeof envRowContent>

/** One row as it is typed; `id` keeps it apart from others while it changes. */
export type EnvRow = { readonly id: number } & EnvRowContent

/** What is read of a row; `null` while nothing is typed into it. */
export type EnvReading =
  | { readonly item: EnvItem; readonly problem: null }
  | { readonly item: null; readonly problem: string }
  | null

/** What a row means to a request. */
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
        : {
            item: null,
            problem: 'Enter two ports from 1 to 65535, or two ranges of the same length, such as 8000-8010.',
          }
    }
    case 'other':
      return { item: null, problem: `Can’t be sent. ${row.why}` }
  }
}

/** What a row means to a template, which takes other flags as well. */
export function readTemplateRow(row: EnvRowContent): EnvReading {
  if (row.kind !== 'other' || !isOtherFlag(row.text)) return readRow(row)
  const { kind, text, why } = row
  return { item: { kind, text, why }, problem: null }
}

export function rowOf(item: EnvItem): EnvRowContent {
  if (item.kind !== 'ports') return item
  const range = (first: number): string =>
    item.count === 1 ? String(first) : `${first}-${first + item.count - 1}`
  return { kind: 'ports', host: range(item.host), container: range(item.container), protocol: item.protocol }
}

/**
 * What each row is wrong about, by its place. What cannot stand beside an earlier row is wrong where it comes
 * second: a name that is there already, or a port of the machine that leads elsewhere.
 *
 * @param ofTemplate what the machine gets of the template, whatever the rows say
 */
export function problemsOf(
  readings: readonly EnvReading[],
  ofTemplate: readonly EnvItem[] = [],
): readonly (string | null)[] {
  const names = new Set<string>()
  const ports: PortMapping[] = []
  const templatePorts = ofTemplate.filter((item) => item.kind === 'ports')
  return readings.map((reading) => {
    if (reading === null) return null
    if (reading.problem !== null) return reading.problem
    const { item } = reading
    if (item.kind === 'ports') {
      const problem = portProblem(item, ports, templatePorts)
      ports.push(item)
      return problem
    }
    if (item.kind !== 'variable') return null
    if (names.has(item.name)) return 'Another row already has this variable.'
    names.add(item.name)
    return null
  })
}

/** Such a machine would not start, and would be charged all the same. */
function portProblem(
  mapping: PortMapping,
  before: readonly PortMapping[],
  ofTemplate: readonly PortMapping[],
): string | null {
  const clashWith = (others: readonly PortMapping[]): number | null =>
    others.map((other) => clashingPort(mapping, other)).find((port) => port !== null) ?? null
  const own = clashWith(before)
  if (own !== null) return `Host port ${own} is already mapped.`
  const kept = clashWith(ofTemplate)
  return kept === null ? null : `The template maps host port ${kept} to another port. Use another host port.`
}
