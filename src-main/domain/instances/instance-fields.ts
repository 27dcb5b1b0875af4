import { FieldCatalog, fieldGroup } from '../fields/field-catalog.ts'

const instance = fieldGroup('Instance')
const price = fieldGroup('Price')
const use = fieldGroup('In use now')
const machine = fieldGroup('Machine')
const net = fieldGroup('Network')
const image = fieldGroup('Image and start')

/** Those that service API 2.3 names. */
const documented = ['actual_status', 'ssh_host', 'ssh_port']

/** Fields of instances, as seen in practice; an `id` is needed to act on one. */
export const instanceFields = new FieldCatalog(documented, [
  instance.integer('id', 'Instance ID', { shown: true }),
  instance.text('label', 'Label', { shown: true }),
  instance.text('actual_status', 'Status', { shown: true }),
  instance.text('status_msg', 'Status message'),
  instance.text('cur_state', 'Current state'),
  instance.text('next_state', 'Next state'),
  instance.text('intended_status', 'Intended status'),
  instance.time('start_date', 'Started'),
  instance.time('end_date', 'Ends'),
  instance.number('uptime_mins', 'Uptime', { unit: 'min' }),

  price.usd('dph_total', 'Price', '$/h', { shown: true }),
  price.usd('dph_base', 'Base price', '$/h'),
  price.usd('storage_cost', 'Storage', '$/GB/month'),
  price.usd('storage_total_cost', 'Storage in total', '$/h', { decimals: 4 }),
  price.usd('inet_up_cost', 'Upload', '$/GB', { decimals: 4 }),
  price.usd('inet_down_cost', 'Download', '$/GB', { decimals: 4 }),
  price.yesNo('is_bid', 'Interruptible'),
  price.usd('min_bid', 'Lowest bid', '$/h'),

  use.measure('gpu_util', 'GPU load', { unit: '%' }),
  use.measure('gpu_temp', 'GPU temperature', { unit: '°C' }),
  use.measure('cpu_util', 'CPU load', { unit: '%' }),
  use.measure('mem_usage', 'Memory used', { unit: 'GB', decimals: 1 }),
  use.measure('mem_limit', 'Memory limit', { unit: 'GB', decimals: 1 }),
  use.measure('disk_util', 'Disk load', { unit: '%' }),
  use.measure('disk_usage', 'Disk used', { unit: 'GB', decimals: 1 }),

  machine.text('gpu_name', 'Model', { shown: true }),
  machine.number('num_gpus', 'GPUs', { shown: true }),
  machine.number('gpu_ram', 'VRAM', { unit: 'GB', scale: 0.001, decimals: 1 }),
  machine.number('cpu_cores_effective', 'vCPUs', { decimals: 1 }),
  machine.number('cpu_ram', 'RAM', { unit: 'GB', scale: 0.001 }),
  machine.number('disk_space', 'Disk', { unit: 'GB' }),
  machine.number('reliability2', 'Reliability', { unit: '%', scale: 100, decimals: 1 }),
  machine.text('geolocation', 'Where'),
  machine.integer('machine_id', 'Machine ID'),
  machine.integer('host_id', 'Host ID'),

  net.text('ssh_host', 'SSH host (proxy)'),
  net.integer('ssh_port', 'SSH port (proxy)'),
  net.text('public_ipaddr', 'Public address'),
  net.text('local_ipaddrs', 'Local addresses'),
  net.yesNo('static_ip', 'Static address'),
  net.text('ports', 'Ports'),
  net.measure('direct_port_start', 'First direct port'),
  net.measure('direct_port_end', 'Last direct port'),
  net.number('inet_up', 'Net ↑', { unit: 'Mb/s' }),
  net.number('inet_down', 'Net ↓', { unit: 'Mb/s' }),

  image.text('image_uuid', 'Image'),
  image.text('image_runtype', 'Run type'),
  image.text('onstart', 'Start script'),
  image.text('extra_env', 'Environment'),
  image.integer('template_id', 'Template ID'),
  image.text('template_hash_id', 'Template hash ID'),
  image.text('template_name', 'Template'),
  image.text('volume_info', 'Volumes'),
])
