import { FieldCatalog, fieldGroup } from '../fields/field-catalog.ts'

const offer = fieldGroup('Offer')
const gpu = fieldGroup('GPU')
const price = fieldGroup('Price')
const cpu = fieldGroup('CPU and memory')
const disk = fieldGroup('Disk')
const net = fieldGroup('Network')
const host = fieldGroup('Host')

/** Those that service API 2.4 names. */
const documented = [
  'id',
  'verified',
  'rentable',
  'gpu_name',
  'num_gpus',
  'direct_port_count',
  'dlperf_per_dphtotal',
  'cuda_max_good',
]

/** Fields of offers, as seen in practice. The first ones are the columns of the offers table, in their order. */
export const offerFields = new FieldCatalog(documented, [
  gpu.text('gpu_name', 'Model', { shown: true }),
  gpu.integer('num_gpus', 'GPUs', { shown: true }),
  gpu.number('gpu_ram', 'VRAM', { unit: 'GB', scale: 0.001, decimals: 1, shown: true }),
  price.usd('dph_total', 'Price', '$/h', { shown: true }),
  price.number('dlperf_per_dphtotal', 'DLP/$', { decimals: 1, shown: true }),
  host.number('reliability', 'Reliability', { unit: '%', scale: 100, decimals: 1, shown: true }),
  disk.number('disk_space', 'Disk', { unit: 'GB', shown: true }),
  net.number('inet_down', 'Net ↓', { unit: 'Mb/s', shown: true }),
  net.count('direct_port_count', 'Ports', { shown: true }),
  host.text('geolocation', 'Where', { shown: true }),

  offer.integer('id', 'Offer ID'),
  offer.integer('ask_contract_id', 'Ask contract ID'),
  offer.integer('bundle_id', 'Bundle ID'),
  offer.yesNo('rentable', 'Rentable'),
  offer.yesNo('rented', 'Rented'),
  offer.yesNo('verified', 'Verified'),
  offer.text('verification', 'Verification'),
  offer.number('duration', 'Available for', { unit: 'days', scale: 1 / 86_400, decimals: 1 }),
  offer.time('start_date', 'Available from'),
  offer.time('end_date', 'Available until'),
  offer.number('score', 'Score', { decimals: 1 }),

  gpu.number('gpu_total_ram', 'Total VRAM', { unit: 'GB', scale: 0.001, decimals: 1 }),
  gpu.number('dlperf', 'DLPerf', { decimals: 1 }),
  gpu.number('total_flops', 'Compute', { unit: 'TFLOPS', decimals: 1 }),
  gpu.number('cuda_max_good', 'CUDA', { decimals: 1 }),
  gpu.number('compute_cap', 'Compute capability', { scale: 0.01, decimals: 1 }),
  gpu.text('gpu_arch', 'GPU architecture'),
  gpu.number('gpu_frac', 'Share of the machine', { unit: '%', scale: 100 }),
  gpu.number('gpu_lanes', 'PCIe lanes'),
  gpu.number('gpu_mem_bw', 'VRAM bandwidth', { unit: 'GB/s' }),
  gpu.number('bw_nvlink', 'NVLink', { unit: 'GB/s' }),
  gpu.number('pcie_bw', 'PCIe bandwidth', { unit: 'GB/s', decimals: 1 }),
  gpu.number('pci_gen', 'PCIe generation', { decimals: 0 }),
  gpu.number('gpu_max_power', 'Power limit', { unit: 'W' }),
  gpu.number('gpu_max_temp', 'Temperature limit', { unit: '°C' }),
  gpu.text('driver_version', 'Driver'),

  price.usd('dph_base', 'Base price', '$/h'),
  price.usd('discounted_dph_total', 'Discounted price', '$/h'),
  price.usd('min_bid', 'Lowest bid', '$/h'),
  price.yesNo('is_bid', 'Interruptible'),
  price.usd('storage_cost', 'Storage', '$/GB/month'),
  price.usd('storage_total_cost', 'Total storage', '$/h', { decimals: 4 }),
  price.usd('inet_up_cost', 'Upload', '$/GB', { decimals: 4 }),
  price.usd('inet_down_cost', 'Download', '$/GB', { decimals: 4 }),
  price.number('flops_per_dphtotal', 'TFLOPS/$', { decimals: 1 }),

  cpu.number('cpu_cores_effective', 'vCPUs', { decimals: 1 }),
  cpu.number('cpu_cores', 'CPU cores'),
  cpu.text('cpu_name', 'CPU'),
  cpu.text('cpu_arch', 'CPU architecture'),
  cpu.number('cpu_ghz', 'CPU clock', { unit: 'GHz', decimals: 1 }),
  cpu.number('cpu_ram', 'RAM', { unit: 'GB', scale: 0.001 }),
  cpu.integer('has_avx', 'AVX'),

  disk.text('disk_name', 'Disk model'),
  disk.number('disk_bw', 'Disk bandwidth', { unit: 'MB/s' }),

  net.number('inet_up', 'Net ↑', { unit: 'Mb/s' }),
  net.text('public_ipaddr', 'Public address'),
  net.yesNo('static_ip', 'Static address'),

  host.integer('machine_id', 'Machine ID'),
  host.integer('host_id', 'Host ID'),
  host.number('reliability2', 'Reliability (2)', { unit: '%', scale: 100, decimals: 1 }),
  host.text('mobo_name', 'Mainboard'),
  host.text('os_version', 'OS'),
])
