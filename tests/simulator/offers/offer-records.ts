import { CPU_MODELS, DISK_NAMES, DRIVERS, GPU_MODELS, LOCATIONS } from './offer-catalog.ts'
import type { Random } from '../random.ts'

/** An offer as the service returns it; the named fields are those that the simulator itself works with. */
export interface OfferRecord {
  readonly id: number
  readonly machine_id: number
  readonly gpu_name: string
  readonly num_gpus: number
  readonly dph_base: number
  readonly dph_total: number
  /** USD per GB and month. */
  readonly storage_cost: number
  readonly disk_space: number
  readonly rentable: boolean
  readonly rented: boolean
  readonly [field: string]: unknown
}

/** As many offers, instances or templates as anybody needs; each takes some memory. */
export const MOST_RECORDS = 100_000

/** The service's month when it counts disk charges. */
/** The API says nothing of months: 365 days in 12 of them, as the window counts. */
const HOURS_PER_MONTH = (365 * 24) / 12
/** Disk that is priced into the `dph_total` of an offer, as nobody has said yet how much it will be. */
const OFFER_DISK_GB = 10
const FIRST_ID = 5_200_000

/** USD per hour for `diskGb` at a price in USD per GB and month. */
export const diskPerHourUsd = (storageCost: number, diskGb: number): number =>
  (storageCost * diskGb) / HOURS_PER_MONTH

/** Makes `count` offers. `nowSeconds` is when their terms begin; a few hold odd values, as real ones do. */
export function createOfferRecords(
  count: number,
  random: Random,
  nowSeconds: number,
): readonly OfferRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const record = createRecord(FIRST_ID + index * 7 + random.integer(0, 6), random, Math.floor(nowSeconds))
    return { ...record, ...ODD_VALUES.get(index % 200) }
  })
}

/** Values that a window must show without being hurt, each for the offer at that place of every 200. */
const ODD_VALUES: ReadonlyMap<number, Readonly<Record<string, unknown>>> = new Map([
  [13, { geolocation: '<img src=x onerror="document.title=\'hurt\'">, XX' }],
  [31, { geolocation: null }],
  [47, { cpu_name: undefined, disk_name: undefined }],
  [61, { gpu_name: `RTX 4090 ${'very '.repeat(40)}long` }],
  [79, { duration: null, end_date: null }],
  [97, { cpu_name: '\u202edrawkcab\u202c 🚢 <b>bold</b>' }],
  [113, { public_ipaddr: 'javascript:alert(1)' }],
  [131, { reliability: null, reliability2: null, score: null }],
  [149, { vendor_notes: { cooling: 'water', rack: [4, 7] } }],
  [167, { inet_up_cost: 0, inet_down_cost: 0, storage_cost: 0, storage_total_cost: 0 }],
  [181, { dlperf: null, dlperf_per_dphtotal: null }],
])

function createRecord(id: number, random: Random, nowSeconds: number): OfferRecord {
  const model = random.pick(GPU_MODELS)
  const cpu = random.pick(CPU_MODELS)
  const [driver, cuda] = random.pick(DRIVERS)
  const gpus = random.pick([1, 1, 1, 2, 2, 4, 4, 8])
  const hostGpus = Math.max(gpus, random.pick([1, 2, 4, 8]))
  const gpuFraction = gpus / hostGpus
  const base = Number((model.perHourUsd * gpus * random.between(0.75, 1.6)).toFixed(6))
  const storageCost = random.between(0.05, 0.35, 3)
  const storageTotal = diskPerHourUsd(storageCost, OFFER_DISK_GB)
  const total = base + storageTotal
  const flops = model.tflops * gpus
  const dlperf = model.dlperf * gpus * random.between(0.85, 1.05)
  const duration = random.integer(2, 400) * 24 * 60 * 60
  const isVerified = random.chance(0.7)
  const machineId = random.integer(1_000, 60_000)
  return {
    id,
    ask_contract_id: id,
    bundle_id: random.integer(100_000_000, 999_999_999),
    machine_id: machineId,
    host_id: random.integer(20_000, 250_000),
    num_gpus: gpus,
    gpu_name: model.name,
    gpu_arch: model.arch,
    gpu_ram: model.ramMb,
    gpu_total_ram: model.ramMb * gpus,
    gpu_frac: gpuFraction,
    gpu_lanes: random.pick([4, 8, 16]),
    gpu_mem_bw: random.between(model.memoryGbPerSecond * 0.9, model.memoryGbPerSecond, 1),
    gpu_max_power: model.maxPowerW,
    gpu_max_temp: random.pick([83, 87, 90]),
    compute_cap: model.computeCap,
    bw_nvlink: model.name.includes('SXM') ? 480 : 0,
    cuda_max_good: cuda,
    driver_version: driver,
    cpu_name: cpu.name,
    cpu_cores: cpu.cores,
    cpu_cores_effective: cpu.cores * gpuFraction,
    cpu_ghz: cpu.ghz,
    cpu_arch: 'amd64',
    has_avx: 1,
    cpu_ram: random.pick([64_000, 128_800, 257_500, 515_600, 1_031_800]),
    disk_space: random.between(60, 3_000, 1),
    disk_name: random.pick(DISK_NAMES),
    disk_bw: random.between(500, 7_000, 1),
    inet_up: random.between(20, 5_000, 1),
    inet_down: random.between(50, 8_000, 1),
    inet_up_cost: random.between(0.001, 0.02, 4),
    inet_down_cost: random.between(0.001, 0.02, 4),
    pci_gen: random.pick([3, 4, 5]),
    pcie_bw: random.between(3, 54, 1),
    mobo_name: cpu.mainboard,
    os_version: random.pick(['20.04', '22.04', '24.04']),
    dph_base: base,
    dph_total: Number(total.toFixed(6)),
    discounted_dph_total: Number(total.toFixed(6)),
    min_bid: Number((base * 0.6).toFixed(6)),
    is_bid: false,
    storage_cost: storageCost,
    storage_total_cost: Number(storageTotal.toFixed(6)),
    total_flops: flops,
    flops_per_dphtotal: Number((flops / total).toFixed(3)),
    dlperf: Number(dlperf.toFixed(3)),
    dlperf_per_dphtotal: Number((dlperf / total).toFixed(3)),
    score: random.between(5, 900, 3),
    reliability: random.between(0.9, 0.9999, 6),
    verification: isVerified ? 'verified' : random.pick(['unverified', 'unverified', 'deverified']),
    verified: isVerified,
    rentable: true,
    rented: false,
    static_ip: random.chance(0.4),
    public_ipaddr: `203.0.113.${String(random.integer(1, 254))}`,
    direct_port_count: random.pick([0, 1, 16, 99, 249, 999]),
    geolocation: random.pick(LOCATIONS),
    start_date: nowSeconds - random.integer(1, 300) * 24 * 60 * 60,
    end_date: nowSeconds + duration,
    duration,
  }
}
