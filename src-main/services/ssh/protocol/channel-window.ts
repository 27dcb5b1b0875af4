import type { Client, ClientChannel, PseudoTtyOptions, SFTPWrapper, TerminalModes } from 'ssh2'
import { countWindowBy } from './channel-rules.ts'
import { at, isHandler, isObject } from './inside.ts'
import { openSftpChannel } from './sftp-channel.ts'

/** A shell whose server sends no more than it was granted. */
export interface GrantedShell {
  readonly channel: ClientChannel
  /** Lets the server send that many bytes more; `null` when this ssh2 cannot be reached inside. */
  readonly grant: ((bytes: number) => void) | null
}

export interface ShellRequest {
  /** `null` for a login shell. */
  readonly command: string | null
  /** The client must have been given an agent. */
  readonly forwardsAgent: boolean
  /** A server takes what its AcceptEnv names, and says nothing of the rest: it is not asked for an answer. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Opens a login shell, or a command in its place, whose SSH channel window (RFC 4254 section 5.2) is the
 * caller's to give. ssh2 grants 2 MiB by itself whenever half of it is used, however little the screen has taken;
 * so the first window is set while the channel is opened, and ssh2's own count of it is kept full, because at zero
 * it would drop data. If the inside is not as expected, the shell is opened as ssh2 would, and the caller falls
 * back to pausing.
 */
export async function openGrantedShell(
  client: Client,
  pty: PseudoTtyOptions,
  firstWindow: number,
  wanted: ShellRequest = { command: null, forwardsAgent: false },
): Promise<GrantedShell> {
  const protocol = protocolOf(client)
  const { command } = wanted
  if (protocol === null) return { channel: await openShell(client, pty, wanted), grant: null }
  askTogether(protocol)
  const open = (): Promise<ClientChannel> =>
    openShell(client, command === null ? { ...pty, modes: withShell } : pty, wanted)
  const channel = await openedWith(protocol, firstWindow, open)
  const grant = takeOverWindow(protocol, channel)
  if (grant !== null) return { channel, grant }
  // ssh2 believes in the larger window that it meant to give: it and the server would wait for each other.
  channel.close()
  return { channel: await open(), grant: null }
}

/** ssh2's own 2 MiB hold a server that is 50 ms away to 40 MB/s. */
const wideWindow = 16 * 1024 * 1024

/**
 * Opens an SFTP channel that a far server can fill. ssh2 grants again what it has taken, so the first window is
 * all that it takes; an ssh2 with another inside opens it with its own.
 */
export function openWideSftp(client: Client): Promise<SFTPWrapper> {
  const protocol = protocolOf(client)
  const open = (): Promise<SFTPWrapper> => openSftpChannel(client)
  return protocol === null ? open() : openedWith(protocol, wideWindow, open)
}

/**
 * Takes the window of a channel that ssh2 has just opened into the caller's hands.
 *
 * @returns what lets the server send so many bytes more, after ssh2's first 2 MiB; `null` for an ssh2 with another
 *   inside, which goes on granting by itself
 */
export function takeWindow(client: Client, channel: ClientChannel): ((bytes: number) => void) | null {
  const protocol = protocolOf(client)
  return protocol && takeOverWindow(protocol, channel)
}

/** @param open sends the request to open a session channel before it returns */
function openedWith<T>(protocol: Protocol, window: number, open: () => Promise<T>): Promise<T> {
  const original = protocol.session
  protocol.session = (id, _window, packetSize) => original.call(protocol, id, window, packetSize)
  try {
    return open()
  } finally {
    protocol.session = original
  }
}

async function openShell(
  client: Client,
  pty: PseudoTtyOptions,
  { command, forwardsAgent, env = {} }: ShellRequest,
): Promise<ClientChannel> {
  try {
    return await requestShell(client, pty, { command, env, agentForward: forwardsAgent })
  } catch (error) {
    // As ssh does it: a server that forwards no agents still gives a shell.
    const isAboutAgent = error instanceof Error && error.message.includes('agent forwarding')
    if (!forwardsAgent || !isAboutAgent) throw error
    return requestShell(client, pty, { command, env, agentForward: false })
  }
}

function requestShell(
  client: Client,
  pty: PseudoTtyOptions,
  {
    command,
    env,
    agentForward,
  }: Pick<ShellRequest, 'command'> & {
    readonly env: Readonly<Record<string, string>>
    readonly agentForward: boolean
  },
): Promise<ClientChannel> {
  // ssh2's types do not know of `agentForward`.
  const wanted = { env: { ...env }, agentForward }
  return new Promise((resolve, reject) => {
    const opened = (error: Error | undefined, channel: ClientChannel): void => {
      if (error) reject(error)
      else resolve(channel)
    }
    if (command === null) client.shell(pty, wanted, opened)
    else client.exec(command, { ...wanted, pty }, opened)
  })
}

/** Where the shell is asked for without waiting for the answer about the pseudo-terminal. */
const askingTogether = new WeakSet<Protocol>()

/** No modes, and the mark of a pseudo-terminal that is for a login shell and not for a command. */
const withShell: TerminalModes = {}

/** ssh2 asks for the shell when it has the pseudo-terminal. Together they save a round trip; the answers keep their order. */
function askTogether(protocol: Protocol): void {
  if (askingTogether.has(protocol)) return
  askingTogether.add(protocol)
  const { pty, shell } = protocol
  const asked = new Set<number>()
  protocol.pty = (id, ...how) => {
    pty.call(protocol, id, ...how)
    if (!how.includes(withShell)) return
    asked.add(id)
    shell.call(protocol, id, true)
  }
  protocol.shell = (id, wantReply) => {
    if (!asked.delete(id)) shell.call(protocol, id, wantReply)
  }
}

interface Protocol {
  pty: (id: number, ...how: readonly unknown[]) => void
  shell: (id: number, wantReply: boolean) => void
  session: (id: number, window: number, packetSize: number) => void
  channelWindowAdjust: (id: number, bytes: number) => void
}

function protocolOf(client: Client): Protocol | null {
  const protocol = at(client, '_protocol')
  return isProtocol(protocol) ? protocol : null
}

function isProtocol(value: unknown): value is Protocol {
  return ['session', 'channelWindowAdjust', 'pty', 'shell'].every((name) => isHandler(at(value, name)))
}

function takeOverWindow(protocol: Protocol, channel: ClientChannel): ((bytes: number) => void) | null {
  const incoming = at(channel, 'incoming')
  const full = at(incoming, 'window')
  const id = at(channel, 'outgoing', 'id')
  if (!isObject(incoming) || typeof id !== 'number' || typeof full !== 'number') return null
  let left = full
  // ssh2 takes off what has come.
  const note = (next: number): void => void (left -= full - next)
  Object.defineProperty(incoming, 'window', { get: () => full, set: note })
  countWindowBy(incoming, () => left)
  return (bytes) => {
    left += bytes
    if (at(channel, 'outgoing', 'state') !== 'closed') protocol.channelWindowAdjust(id, bytes)
  }
}
