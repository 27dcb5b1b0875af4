import { fieldOf, type FieldRecord } from './field-format.ts'
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

/** The command that a user may paste into a shell; `user` as checked by the preferences. */
export function sshCommand({ host, port }: SshAddress, user: string): string {
  return `ssh -p ${port} ${user}@${host}`
}

/** `host:port`, with an IPv6 host in brackets. */
export function formatSshAddress({ host, port }: SshAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
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

/** 1 to 65535, as a number or in plain digits. */
function parsePort(value: unknown): number | null {
  const port = typeof value === 'string' && /^[1-9]\d{0,4}$/.test(value.trim()) ? Number(value.trim()) : value
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null
}

/** A host name (RFC 1123), an IPv4 or an IPv6 address; case and surrounding space do not matter. */
function parseHost(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const host = value.trim().toLowerCase()
  return isIpv4(host) || isIpv6(host) || isHostName(host) ? host : null
}

function isIpv4(host: string): boolean {
  const parts = host.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

function isIpv6(host: string): boolean {
  // One "::" at most, which stands for at least one group; eight groups in all.
  const halves = host.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return false
  return halves.length === 2 ? groups.length <= 7 : groups.length === 8
}

function isHostName(host: string): boolean {
  const labels = host.split('.')
  return (
    host.length <= 253 &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) &&
    // All digits would be read as a number, that is as another address than the one shown.
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

function isRecord(value: unknown): value is FieldRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
