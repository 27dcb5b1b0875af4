import { fieldOf, type FieldRecord } from '../fields/field-format.ts'
import { formatHostPort, parseHost, parsePort } from '../ssh/network-address.ts'

/** A port of an instance's container that can be reached from outside. */
export interface PortMapping {
  readonly containerPort: number
  readonly protocol: 'tcp' | 'udp'
  readonly host: string
  readonly hostPort: number
}

/** More than a machine maps in practice; what comes beyond is not shown. */
const mostMappings = 200

/**
 * The mappings of a record's `ports`, `{"8080/tcp": [{"HostIp": …, "HostPort": "40022"}]}`, on its public address,
 * by container port. The record is input from outside: what is not strictly a host, a port and a protocol is
 * left out, so that it can never become another link than the one shown.
 */
export function portMappingsOf(record: FieldRecord): readonly PortMapping[] {
  const host = parseHost(fieldOf(record, 'public_ipaddr'))
  const ports = fieldOf(record, 'ports')
  if (host === null || typeof ports !== 'object' || ports === null || Array.isArray(ports)) return []
  const found = new Map<string, PortMapping>()
  for (const [name, value] of Object.entries(ports)) {
    const inside = /^(\d{1,5})\/(tcp|udp)$/.exec(name)
    const containerPort = parsePort(inside?.[1])
    const mappings: readonly unknown[] = Array.isArray(value) ? value : []
    if (containerPort === null) continue
    for (const mapping of mappings) {
      const hostPort = parsePort(hostPortOf(mapping))
      if (hostPort === null) continue
      const protocol = inside?.[2] === 'udp' ? 'udp' : 'tcp'
      // Listed once for each of the host's address families.
      found.set(`${name} ${hostPort}`, { containerPort, protocol, host, hostPort })
    }
  }
  return [...found.values()]
    .toSorted((a, b) => a.containerPort - b.containerPort || a.hostPort - b.hostPort)
    .slice(0, mostMappings)
}

/** Where a browser finds what listens on the mapped port; `null` for what no browser can open (UDP, SSH). */
export function portUrl({ containerPort, protocol, host, hostPort }: PortMapping, scheme: 'http' | 'https') {
  if (protocol === 'udp' || containerPort === 22) return null
  return `${scheme}://${formatHostPort(host, hostPort)}/`
}

function hostPortOf(mapping: unknown): unknown {
  return typeof mapping === 'object' && mapping !== null && 'HostPort' in mapping ? mapping.HostPort : null
}
