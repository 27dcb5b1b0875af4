/** Ports of the machine that lead to ports of the container, one to one: `8000-8010:9000-9010/udp`. */
export interface PortMapping {
  /** The first port on the machine's side. */
  readonly host: number
  /** The first port inside the container. */
  readonly container: number
  /** How many ports in a row. */
  readonly count: number
  /** `null` where none is named, which means TCP. */
  readonly protocol: 'tcp' | 'udp' | null
}

const highestPort = 65_535
const shape = /^(\d{1,5})(?:-(\d{1,5}))?:(\d{1,5})(?:-(\d{1,5}))?(?:\/(tcp|udp))?$/

/** Reads `<host_port>:<container_port>` with ranges and a protocol; `null` for anything else. */
export function parsePortMapping(text: string): PortMapping | null {
  const [whole, host = '', hostEnd = host, container = '', containerEnd = container, protocol] =
    shape.exec(text) ?? []
  if (whole === undefined) return null
  const ends = [host, hostEnd, container, containerEnd]
  if (ends.some((port) => port.startsWith('0') || Number(port) > highestPort)) return null
  const count = Number(hostEnd) - Number(host) + 1
  if (count < 1 || Number(containerEnd) - Number(container) + 1 !== count) return null
  return {
    host: Number(host),
    container: Number(container),
    count,
    protocol: protocol === 'tcp' || protocol === 'udp' ? protocol : null,
  }
}

export function formatPortMapping({ host, container, count, protocol }: PortMapping): string {
  return `${formatRange(host, count)}:${formatRange(container, count)}${protocol === null ? '' : `/${protocol}`}`
}

/**
 * The first port of the machine that two mappings lead to different places, which no machine can do; `null` when
 * there is none. What both say in the same words is one mapping.
 */
export function clashingPort(one: PortMapping, other: PortMapping): number | null {
  if ((one.protocol ?? 'tcp') !== (other.protocol ?? 'tcp')) return null
  const isSame = one.container - one.host === other.container - other.host && one.protocol === other.protocol
  const first = Math.max(one.host, other.host)
  const isShared = first < Math.min(one.host + one.count, other.host + other.count)
  return isShared && !isSame ? first : null
}

/** Each port by itself: the `env` of a create request has no ranges (service API 4.4). */
export function singlePorts({ host, container, count, protocol }: PortMapping): readonly PortMapping[] {
  return Array.from({ length: count }, (_, index) => ({
    host: host + index,
    container: container + index,
    count: 1,
    protocol,
  }))
}

/** The other way round: ports that stand in a row as the ranges that they are. */
export function portRanges(ports: readonly PortMapping[]): readonly PortMapping[] {
  const ranges: PortMapping[] = []
  for (const port of ports) {
    const last = ranges.at(-1)
    if (last && isFollowedBy(last, port))
      ranges[ranges.length - 1] = { ...last, count: last.count + port.count }
    else ranges.push(port)
  }
  return ranges
}

function isFollowedBy(one: PortMapping, next: PortMapping): boolean {
  return (
    next.host === one.host + one.count &&
    next.container === one.container + one.count &&
    next.protocol === one.protocol
  )
}

function formatRange(first: number, count: number): string {
  return count === 1 ? String(first) : `${first}-${first + count - 1}`
}
