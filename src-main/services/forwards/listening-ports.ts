/** What an instance says of its ports. */
export interface ListeningPorts {
  /** In their order, each once. */
  readonly ports: readonly number[]
  /** Those of Jupyter servers, running or not. */
  readonly jupyter: ReadonlySet<number>
}

/** More than a machine listens on; what comes after them is a stranger's. */
const mostPorts = 200
const mostLines = 2_000
/** Far longer than a line of the kernel's, which has about 150 characters. */
const longestLine = 400

/**
 * Linux gives ports from here on to whoever asks for any (`net.ipv4.ip_local_port_range`): five for each Jupyter kernel,
 * those of VS Code's server, of workers of Ray and torch. Nobody looks for a page there.
 */
const firstEphemeral = 32_768
/** Below 1024 are the system's own: of those, only web servers have something to show. */
const systemWebPorts: ReadonlySet<number> = new Set([80, 443])

/**
 * Listening on one of these, a port is reached by a forward to `localhost`: 127.0.0.1, ::1, 0.0.0.0, ::, and the first
 * and the third as IPv6 has them (RFC 4291 section 2.5.5.2). The kernel writes each 32 bits of an address as a number of
 * the processor's, and of those that GPUs come with all have the lowest byte first.
 *
 * A port at any other address isn't told. "Port 8888" would mean two things where one is at each address, `localhost` in
 * what programs print doesn't lead there, and the form takes an address.
 */
const reachedAddresses: ReadonlySet<string> = new Set([
  '0100007F',
  '00000000',
  '00000000000000000000000001000000',
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
  '0000000000000000FFFF000000000000',
])

/** Lines as `/proc/net/tcp` and `/proc/net/tcp6` have them (proc_net_tcp.rst of Linux): slot, local, remote, state. */
const socketLine = /^ *\d{1,10}: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) [0-9A-F]{8,32}:[0-9A-F]{4} 0A /
const ownLine = /^(ssh|jupyter) (\d{1,5})$/

/**
 * Reads what {@link listeningCommand} prints. The instance is a stranger's: what isn't of the form is passed over, and
 * there is no more of it than the bounds above allow.
 */
export function parseListening(text: string): ListeningPorts {
  const ports = new Set<number>()
  const jupyter = new Set<number>()
  const ssh = new Set<number>()
  for (const line of text.split('\n', mostLines)) {
    if (line.length > longestLine) continue
    const own = ownLine.exec(line)
    if (own !== null) {
      ;(own[1] === 'ssh' ? ssh : jupyter).add(Number(own[2]))
      continue
    }
    const [, address = '', port = ''] = socketLine.exec(line) ?? []
    if (reachedAddresses.has(address)) ports.add(Number.parseInt(port, 16))
  }
  const worth = [...ports].filter((port) => !ssh.has(port) && isWorthForwarding(port))
  return { ports: worth.sort((one, other) => one - other).slice(0, mostPorts), jupyter }
}

function isWorthForwarding(port: number): boolean {
  return (port >= 1024 && port < firstEphemeral) || systemWebPorts.has(port)
}
