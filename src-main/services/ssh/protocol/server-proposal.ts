import type { Readable } from 'node:stream'
import type { OfferedAlgorithms } from './algorithms.ts'

/** The names that a server offered, for each kind of algorithm, in its order. */
export interface ServerProposal {
  readonly 'key exchange': readonly string[]
  readonly 'host key': readonly string[]
  readonly encryption: readonly string[]
  readonly integrity: readonly string[]
}

/** More than any server sends before and with its offer (RFC 4253 sections 4.2 and 6.1). */
const longest = 16 * 1024
const kexInit = 20

/**
 * Notes the server's offer as it passes by: it comes first and in the clear, and ssh2 tells nobody of it when
 * it cannot agree. Give it the socket after ssh2 has it.
 *
 * @returns the offer, once it has passed
 */
export function noteServerProposal(socket: Readable): () => ServerProposal | null {
  let seen = Buffer.alloc(0)
  let offer: ServerProposal | null = null
  const note = (piece: Buffer): void => {
    seen = Buffer.concat([seen, piece])
    offer = readServerProposal(seen)
    if (offer === null && seen.length < longest) return
    socket.off('data', note)
    seen = Buffer.alloc(0)
  }
  // Before ssh2, which may break off because of it.
  socket.prependListener('data', note)
  return () => offer
}

const kinds: readonly (readonly [
  words: RegExp,
  kind: keyof ServerProposal,
  ours: keyof OfferedAlgorithms,
])[] = [
  [/key exchange/i, 'key exchange', 'kex'],
  [/host key/i, 'host key', 'serverHostKey'],
  [/cipher/i, 'encryption', 'cipher'],
  [/mac/i, 'integrity', 'hmac'],
]

/** What both sides offered of the kind on which they could not agree, from ssh2's words about it. */
export function bothProposals(
  message: string,
  theirs: ServerProposal | null,
  ours: OfferedAlgorithms,
): string {
  const found = kinds.find(([words]) => words.test(message))
  if (found === undefined || theirs === null) return message
  const [, kind, own] = found
  const accepted = `Slipway accepts ${ours[own].join(', ')}`
  const names = theirs[kind]
  const offered = names.join(', ') || 'nothing'
  return kind === 'host key' && names.length > 0 && names.every((name) => certificate.test(name))
    ? `as host key it offers certificates only (${offered}); ${accepted}`
    : `for ${kind} it offers ${offered}; ${accepted}`
}

/** OpenSSH's PROTOCOL.certkeys; a mark of the exchange itself (RFC 8308) is no key. */
const certificate = /-cert-v\d+@openssh\.com$/

/** The offer at the beginning of what a server sends (RFC 4253 section 7.1); `null` as long as it is not whole. */
export function readServerProposal(bytes: Buffer): ServerProposal | null {
  const greeting = /(?:^|\n)SSH-[^\n]*\n/.exec(bytes.toString('latin1'))
  if (greeting === null) return null
  const packet = bytes.subarray(greeting.index + greeting[0].length)
  const cookieEnd = 4 + 1 + 1 + 16
  if (packet.length < cookieEnd || packet.length < 4 + packet.readUInt32BE(0) || packet[5] !== kexInit)
    return null
  let rest = packet.subarray(cookieEnd, 4 + packet.readUInt32BE(0))
  const names = (): string[] => {
    const length = rest.length < 4 ? 0 : rest.readUInt32BE(0)
    const list = rest.toString('latin1', 4, 4 + length)
    rest = rest.subarray(4 + length)
    return list.split(',').filter((name) => /^[\w.@+-]{1,64}$/.test(name))
  }
  const [keyExchange, hostKey] = [names(), names()]
  names() // from client to server; servers offer the same both ways
  const encryption = names()
  names()
  return { 'key exchange': keyExchange, 'host key': hostKey, encryption, integrity: names() }
}
