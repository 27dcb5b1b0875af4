/** Which way a field of an offer is better. */
export type Better = 'more' | 'less'

/**
 * Fields of which more, or less, is better for everybody. What is a matter of need, such as the number of GPUs,
 * is not here. The first ones are what performance is mostly judged by.
 */
const byField: ReadonlyMap<string, Better> = new Map([
  ...more(
    'dlperf',
    'dlperf_per_dphtotal',
    'total_flops',
    'flops_per_dphtotal',
    'gpu_ram',
    'gpu_total_ram',
    'gpu_mem_bw',
    'bw_nvlink',
    'pcie_bw',
    'pci_gen',
    'gpu_lanes',
    'compute_cap',
    'cuda_max_good',
    'cpu_cores_effective',
    'cpu_cores',
    'cpu_ghz',
    'cpu_ram',
    'disk_bw',
    'disk_space',
    'inet_down',
    'inet_up',
    'direct_port_count',
    'reliability',
    'reliability2',
    'score',
    'duration',
    'end_date',
    'verified',
    'static_ip',
  ),
  ...less(
    'dph_total',
    'dph_base',
    'discounted_dph_total',
    'min_bid',
    'storage_cost',
    'storage_total_cost',
    'inet_up_cost',
    'inet_down_cost',
  ),
])

function more(...fields: readonly string[]): [string, Better][] {
  return fields.map((field) => [field, 'more'])
}
function less(...fields: readonly string[]): [string, Better][] {
  return fields.map((field) => [field, 'less'])
}

/** `null` where neither way is better for everybody. */
export function betterWay(field: string): Better | null {
  return byField.get(field) ?? null
}

/** Fields of which more is better, those first by which performance is mostly judged. */
export const moreIsBetter: readonly string[] = [...byField]
  .filter(([, way]) => way === 'more')
  .map(([field]) => field)

/**
 * Places of the best ones of some numbers; none when fewer than two are known, or when there is nothing to
 * choose between them. `isAlike` tells which ones look the same to the user.
 */
export function bestPlaces(
  values: readonly (number | null)[],
  way: Better,
  isAlike: (one: number, other: number) => boolean = Object.is,
): ReadonlySet<number> {
  const known = values.filter((value) => value !== null)
  const best = known.reduce<number | null>(
    (so, value) => (so === null || (way === 'more' ? value > so : value < so) ? value : so),
    null,
  )
  if (best === null || known.length < 2 || known.every((value) => isAlike(value, best))) return new Set()
  return new Set(values.flatMap((value, at) => (value !== null && isAlike(value, best) ? [at] : [])))
}
