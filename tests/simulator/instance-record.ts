import { createHash } from 'node:crypto'
import { availableParallelism, totalmem } from 'node:os'
import type { Instance } from './fleet.ts'
import { perHourUsd, storagePerHourUsd } from './billing.ts'
import type { SshAddressKind } from './machines/ssh-server.ts'

/** SSH port of instances that have no machine behind them; nothing listens there. */
const PORT_OF_NOTHING = 9
const ADDRESS = '127.0.0.1'

/** Fields that an instance has from the machine it was rented on. */
const FIELDS_OF_OFFER = [
  'bundle_id',
  'machine_id',
  'host_id',
  'num_gpus',
  'gpu_name',
  'gpu_arch',
  'gpu_ram',
  'gpu_total_ram',
  'gpu_frac',
  'gpu_lanes',
  'gpu_mem_bw',
  'compute_cap',
  'cuda_max_good',
  'driver_version',
  'cpu_name',
  'cpu_cores',
  'cpu_cores_effective',
  'cpu_ram',
  'disk_name',
  'disk_bw',
  'inet_up',
  'inet_down',
  'inet_up_cost',
  'inet_down_cost',
  'pcie_bw',
  'mobo_name',
  'os_version',
  'dph_base',
  'min_bid',
  'is_bid',
  'storage_cost',
  'total_flops',
  'dlperf',
  'score',
  'verification',
  'static_ip',
  'geolocation',
  'end_date',
] as const

/** What an instance with a machine behind it has of the computer that it runs on. */
const FIELDS_OF_THIS_COMPUTER = {
  gpu_frac: 1,
  cpu_cores_effective: availableParallelism(),
  cpu_ram: Math.floor(Math.min(totalmem(), process.constrainedMemory()) / 1e6),
}

/** The instance as the service returns it: the fields of service API 2.3, and those that are seen in practice. */
export function instanceRecord(instance: Instance, nowSeconds: number): Readonly<Record<string, unknown>> {
  const { id, offer, order, status, machine, createdAt, isStopped, listsStop } = instance
  const isRunning = status === 'running'
  const portOf = (kind: SshAddressKind): number =>
    instance.namedSshPort ?? machine?.port(kind) ?? PORT_OF_NOTHING
  const storageUsd = storagePerHourUsd(instance)
  const intended = isStopped && listsStop ? 'stopped' : 'running'
  return {
    ...Object.fromEntries(FIELDS_OF_OFFER.map((field) => [field, offer[field]])),
    ...(machine && FIELDS_OF_THIS_COMPUTER),
    id,
    label: null,
    actual_status: status,
    status_msg: instance.statusMessage ?? statusMessage(status, order.image),
    cur_state: intended,
    next_state: intended,
    intended_status: intended,
    reliability2: offer['reliability'],
    image_uuid: order.image,
    image_runtype: order.runtype,
    extra_env: Object.entries(order.env),
    onstart: order.onstart,
    template_id: order.template?.id ?? null,
    template_hash_id: order.template?.hashId ?? null,
    template_name: order.template?.name ?? null,
    extra_filters: order.extraFilters,
    ssh_host: ADDRESS,
    ssh_port: portOf('proxy'),
    public_ipaddr: ADDRESS,
    local_ipaddrs: `${ADDRESS} `,
    ports: isRunning ? portsOf(instance, portOf('direct')) : {},
    direct_port_start: -1,
    direct_port_end: -1,
    disk_space: order.diskGb,
    disk_usage: isRunning ? 1.2 : -1,
    disk_util: -1,
    start_date: createdAt,
    uptime_mins: isRunning ? Math.max(0, (nowSeconds - createdAt) / 60) : null,
    dph_total: Number(perHourUsd(instance).toFixed(6)),
    storage_total_cost: Number(storageUsd.toFixed(6)),
    gpu_util: isRunning ? (id * 37) % 101 : null,
    gpu_temp: isRunning ? 35 + ((id * 11) % 45) : null,
    cpu_util: isRunning ? (id * 13) % 101 : null,
    mem_usage: isRunning ? 2.5 : null,
    mem_limit: isRunning ? 64 : null,
    volume_info: order.volumes,
    // Records in practice carry such a token; a client has to mask it.
    jupyter_token: createHash('sha256').update(`jupyter ${instance.key}`).digest('hex').slice(0, 32),
  }
}

/** SSH, and a public port for each one that was mapped when it was rented; nothing listens on those. */
function portsOf({ id, order }: Instance, sshPort: number): Readonly<Record<string, unknown>> {
  const mapped = Object.keys(order.env).flatMap((name) => {
    const [, port, protocol = '/tcp'] = /^-p \d+:(\d+)(\/tcp|\/udp)?$/.exec(name) ?? []
    return port === undefined ? [] : [`${port}${protocol}`]
  })
  const outside = (index: number): string => String(30_000 + ((id * 64 + index) % 30_000))
  return Object.fromEntries([
    ...mapped.map((name, index) => [name, [{ HostIp: ADDRESS, HostPort: outside(index) }]] as const),
    ['22/tcp', [{ HostIp: ADDRESS, HostPort: String(sshPort) }]] as const,
  ])
}

function statusMessage(status: string | null, image: string): string | null {
  switch (status) {
    case null:
      return null
    case 'loading':
      return `Pulling from ${image}`
    case 'running':
      return `success, running ${image}`
    case 'exited':
      return `Error: the container of ${image} has ended with status 1`
    case 'offline':
      return 'the host is disconnected'
    default:
      return null
  }
}
