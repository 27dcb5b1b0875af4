import { z } from 'zod'
import { fieldOf, type FieldRecord } from '../fields/field-format.ts'
import { formatHostPort, parseHost, parsePort } from './network-address.ts'
import { addressChoice, type AddressChoice, type AddressKind } from './ssh-choice.ts'
import { sshAddress, type SshAddress } from './ssh.ts'

/** Where an instance answers SSH; `preferred` is the one to use as long as nothing is known of either. */
export interface SshAddresses {
  /** The machine itself, when its port 22 is mapped to a public one; the service API doesn't describe it. */
  readonly direct: SshAddress | null
  /** The service's SSH address (`ssh_host`, `ssh_port`; service API 2.3). */
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
 * The addresses of an instance that a connection tries, in this order: the chosen one alone, none where the instance
 * doesn't have it; without a choice both, the one that was reached last first. Where neither was, the direct one is
 * first. A program that tries only one gets the first.
 *
 * @param reached where the instance was reached, newest first
 */
export function addressesToTry(
  addresses: Pick<SshAddresses, AddressKind>,
  choice: AddressChoice,
  reached: readonly SshAddress[],
): readonly SshAddress[] {
  if (choice !== 'automatic') return [addresses[choice]].filter((address) => address !== null)
  const { direct, proxy } = addresses
  const isOne = direct !== null && proxy !== null && isSameAddress(direct, proxy)
  const placeOf = (address: SshAddress): number => {
    const place = reached.findIndex((each) => isSameAddress(each, address))
    return place < 0 ? reached.length : place
  }
  return [direct, isOne ? null : proxy]
    .filter((address) => address !== null)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** What decides between the addresses of an instance, besides its record. */
const addressHints = z.object({
  choice: addressChoice,
  /** Where it was reached, newest first. */
  reached: z.array(sshAddress).readonly(),
})
type AddressHints = z.infer<typeof addressHints>

/** By instance id; one that has none is left out. */
export const addressHintsById = z.record(z.string(), addressHints)
export type AddressHintsById = z.infer<typeof addressHintsById>

/**
 * The one address to show for an instance: that of its open connection, else the first that a connection tries;
 * `null` where it has none, or not the chosen one.
 */
export function shownAddress(
  addresses: SshAddresses,
  { choice, reached }: AddressHints = { choice: 'automatic', reached: [] },
  open?: SshAddress,
): SshAddress | null {
  return open ?? addressesToTry(addresses, choice, reached)[0] ?? null
}

/** Which of the instance's addresses this is; `null` for none of them. */
export function kindOfAddress(
  { direct, proxy }: Pick<SshAddresses, AddressKind>,
  address: SshAddress,
): AddressKind | null {
  if (direct !== null && isSameAddress(direct, address)) return 'direct'
  return proxy !== null && isSameAddress(proxy, address) ? 'proxy' : null
}

/** Whether two addresses are one; the case of a host's name doesn't matter. */
export function isSameAddress(one: SshAddress, other: SshAddress): boolean {
  return one.host.toLowerCase() === other.host.toLowerCase() && one.port === other.port
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
