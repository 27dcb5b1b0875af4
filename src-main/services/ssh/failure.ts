import type { AgainstInstance } from '../../domain/ssh/instance-host-keys.ts'
import type { HostKey, HopPlace, ProblemAtOnePlace, SshAddress, SshProblem } from '../../domain/ssh/ssh.ts'

/** Ends an attempt to connect, with what the user is told. */
export class SshFailure extends Error {
  readonly problem: SshProblem
  constructor(problem: SshProblem, options?: ErrorOptions) {
    super(problem.kind, options)
    this.name = 'SshFailure'
    this.problem = problem
  }
}

/** The host shows a key other than the one that is stored for it, or one that is revoked. */
export class HostKeyChanged extends Error {
  readonly offered: HostKey
  readonly trusted: readonly (HostKey & { readonly line: number })[]
  readonly revoked: boolean
  readonly address: SshAddress
  /** Where it is a jump host on the way. */
  readonly hop: HopPlace | undefined
  /** Where it is an instance that has shown other keys. */
  readonly ofInstance: AgainstInstance | undefined
  constructor(
    found: Pick<HostKeyChanged, 'address' | 'offered' | 'trusted' | 'revoked'> & {
      readonly hop?: HopPlace
      readonly ofInstance?: AgainstInstance
    },
  ) {
    super('host key changed')
    this.name = 'HostKeyChanged'
    this.address = found.address
    this.hop = found.hop
    this.ofInstance = found.ofInstance
    this.offered = found.offered
    this.trusted = found.trusted
    this.revoked = found.revoked
  }
}

/** Why no TCP connection came about, or why one broke, from the error of its socket. */
export function problemOfSocketError(error: unknown): ProblemAtOnePlace {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ECONNREFUSED':
      return { kind: 'refused' }
    case 'ETIMEDOUT':
      return { kind: 'timeout' }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { kind: 'unreachable', detail: { code: 'name-not-found' } }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENETDOWN':
    case 'EADDRNOTAVAIL':
      return { kind: 'unreachable', detail: { code: 'no-route' } }
    case 'ECONNRESET':
    case 'EPIPE':
      return { kind: 'link-lost', detail: { code: 'reset' } }
    default:
      return { kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Why the talk before the login ended, from ssh2's error. */
export function problemOfHandshakeError(error: Error): ProblemAtOnePlace {
  const { message } = error
  if (/no matching/i.test(message))
    return { kind: 'no-common-algorithm', detail: message.replace(/^Handshake failed: /, '') }
  if (/before handshake/i.test(message)) return { kind: 'not-ssh', detail: { code: 'closed-before-ssh' } }
  if (/identification|protocol version|greeting|header/i.test(message))
    return { kind: 'not-ssh', detail: { code: 'no-ssh-greeting' } }
  if (isFromSystem(error)) return problemOfSocketError(error)
  // ssh2's own words: a server's reason to leave has a number.
  if (/signature/i.test(message) && !('code' in error)) return { kind: 'signature-invalid' }
  // What the server said when it left, or what ssh2 says of a message that it cannot accept.
  return { kind: 'link-lost', detail: message }
}

/** Why a channel was not opened on a connection that stands, from ssh2's error. */
export function problemOfRefusedChannel(error: unknown): ProblemAtOnePlace {
  return { kind: 'channel-refused', detail: wordsOfRefusal(error) }
}

/** The server's own, without those of ssh2 before them. */
export function wordsOfRefusal(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return words.replace(/^\(SSH\) Channel open failure: /, '')
}

/** Those of the network have a name (`ECONNRESET`); a server's reason to leave is a number. */
function isFromSystem(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string'
}

/** Why a connection that was logged in is gone: what ssh2 cannot read breaks the protocol. */
export function problemOfOpenLink(error: Error): ProblemAtOnePlace {
  const isUnreadable = 'level' in error && error.level === 'protocol' && error.message.startsWith('Inbound: ')
  return isUnreadable
    ? { kind: 'protocol-broken', detail: { code: 'unreadable-message' } }
    : problemOfLostLink(error)
}

/** Why a connection that stood is gone. */
export function problemOfLostLink(error: Error): ProblemAtOnePlace {
  if (/keepalive/i.test(error.message)) return { kind: 'link-lost', detail: { code: 'silent', seconds: 45 } }
  const problem = problemOfSocketError(error)
  return problem.kind === 'link-lost' ? problem : { kind: 'link-lost', detail: error.message }
}
