import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, search } from './caller.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 1, instances: 1000 })
})
afterAll(() => simulator.close())

/** Fields that are seen in practice, beyond those that the API names. */
const OFFER_FIELDS = `
  id cuda_max_good num_gpus gpu_name pcie_bw cpu_ghz cpu_cores_effective cpu_ram gpu_ram disk_space dph_total dlperf
  dlperf_per_dphtotal score driver_version inet_up inet_down reliability duration machine_id verification host_id
  direct_port_count geolocation ask_contract_id bundle_id gpu_total_ram gpu_frac gpu_arch gpu_lanes gpu_mem_bw
  gpu_max_power gpu_max_temp compute_cap bw_nvlink cpu_name cpu_cores cpu_arch has_avx disk_bw disk_name inet_up_cost
  inet_down_cost pci_gen mobo_name os_version dph_base min_bid is_bid total_flops flops_per_dphtotal storage_cost
  storage_total_cost discounted_dph_total rentable rented static_ip public_ipaddr start_date end_date verified`
const INSTANCE_FIELDS = `
  id label machine_id actual_status status_msg num_gpus gpu_name gpu_util cpu_cores_effective cpu_ram disk_space
  ssh_host ssh_port dph_total image_uuid inet_up inet_down reliability2 start_date uptime_mins cur_state next_state
  intended_status image_runtype extra_env onstart template_id template_hash_id template_name public_ipaddr
  local_ipaddrs ports direct_port_start direct_port_end end_date cpu_util gpu_temp mem_usage mem_limit disk_util
  disk_usage volume_info geolocation host_id static_ip is_bid min_bid`

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

it('gives offers every field, and orders and filters by each', async () => {
  const [offer] = await search(simulator, {})
  expect(Object.keys(offer ?? {})).toEqual(expect.arrayContaining([...words(OFFER_FIELDS)]))
  for (const field of words(OFFER_FIELDS)) {
    expect(await search(simulator, { order: [[field, 'desc']] })).toHaveLength(1)
    expect(await search(simulator, { [field]: { eq: offer?.[field] } })).toHaveLength(1)
    expect(await search(simulator, { [field]: { neq: offer?.[field] } })).toEqual([])
  }
})

it('lists a thousand instances with every field', async () => {
  const { body } = await call(simulator, 'GET', '/api/v0/instances/')
  const { instances } = z.object({ instances: z.array(z.looseObject({ id: z.int() })) }).parse(body)
  expect(new Set(instances.map(({ id }) => id)).size).toBe(1000)
  for (const instance of instances) {
    expect(words(INSTANCE_FIELDS).filter((field) => !(field in instance))).toEqual([])
  }
})

it('searches no market too', async () => {
  const empty = await startSimulator({ offers: 0 })
  try {
    expect(await search(empty, { gpu_name: { eq: 'RTX 4090' }, order: [['dph_total', 'asc']] })).toEqual([])
  } finally {
    await empty.close()
  }
})
