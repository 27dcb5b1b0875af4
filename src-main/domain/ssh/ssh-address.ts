import { fieldOf, type FieldRecord } from '../fields/field-format.ts'
import { formatHostPort, parseHost, parsePort } from './network-address.ts'
import type { SshAddress } from './ssh.ts'

/** Where an instance answers SSH; `preferred` is the one to use unless the user chooses. */
export interface SshAddresses {
  /** The machine itself, when its port 22 is mapped to a public one. */
  readonly direct: SshAddress | null
  /** The service's relay (`ssh_host`, `ssh_port`; service API 2.3). */
  readonly proxy: SshAddress | null
  readonly preferred: SshAddress | null
}

/**
 * The SSH addresses that an instance's record names. The record is input from outside: a host or port that
 * is not strictly one counts as none, so that it can never be read as an option or a command.
 */
export function sshAddressesOf(record: FieldRecord): SshAddresses {
  const direct = addressOf(fieldOf(record, 'public_ipaddr'), mappedPort(fieldOf(record, 'ports')))
  const proxy = addressOf(fieldOf(record, 'ssh_host'), fieldOf(record, 'ssh_port'))
  return { direct, proxy, preferred: direct ?? proxy }
}

/**
 * The command that a user may paste into a shell.
 *
 * @param user as checked by the preferences
 * @param way jump hosts as checked by `jumpHostsText`; `direct` goes past those of the SSH configuration
 */
export function sshCommand(
  { host, port }: SshAddress,
  user: string,
  { jumpHosts = null, forwardAgent = false }: SshCommandRoute = {},
): string {
  const jump = jumpHosts === null ? '' : jumpHosts === 'direct' ? '-o ProxyJump=none ' : `-J ${jumpHosts} `
  return `ssh ${forwardAgent ? '-A ' : ''}${jump}-p ${port} ${user}@${host}`
}

export interface SshCommandRoute {
  /** `null`: as the SSH configuration says. */
  readonly jumpHosts?: string | null
  readonly forwardAgent?: boolean
}

/** `host:port`, with an IPv6 host in brackets. */
export function formatSshAddress({ host, port }: SshAddress): string {
  return formatHostPort(host, port)
}

/** The public port of `{"22/tcp": [{"HostIp": …, "HostPort": "40022"}]}`. */
function mappedPort(ports: unknown): unknown {
  if (!isRecord(ports)) return null
  const mappings = fieldOf(ports, '22/tcp')
  if (!Array.isArray(mappings)) return null
  const hostPorts = mappings.map((mapping: unknown) =>
    isRecord(mapping) ? fieldOf(mapping, 'HostPort') : null,
  )
  return hostPorts.find((port) => parsePort(port) !== null) ?? null
}

function addressOf(host: unknown, port: unknown): SshAddress | null {
  const parsedHost = parseHost(host)
  const parsedPort = parsePort(port)
  return parsedHost === null || parsedPort === null ? null : { host: parsedHost, port: parsedPort }
}

function isRecord(value: unknown): value is FieldRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
