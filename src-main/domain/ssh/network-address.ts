// Hosts and ports as a service names them: input from outside, which ends up in commands, files and links.

/** 1 to 65535, as a number or in plain digits. */
export function parsePort(value: unknown): number | null {
  const port = typeof value === 'string' && /^[1-9]\d{0,4}$/.test(value.trim()) ? Number(value.trim()) : value
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null
}

/** A host name (RFC 1123), an IPv4 or an IPv6 address; case and surrounding space do not matter. */
export function parseHost(value: unknown): string | null {
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

/** `host:port`, with an IPv6 host in brackets. */
export function formatHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
