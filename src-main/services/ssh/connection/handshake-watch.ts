import type { Duplex, Readable } from 'node:stream'
import type { Client } from 'ssh2'
import type { SshProblem } from '../../../domain/ssh/ssh.ts'
import type { OfferedAlgorithms } from '../protocol/algorithms.ts'
import { bothProposals, noteServerProposal } from '../protocol/server-proposal.ts'
import { wasPacketTooLong } from '../protocol/packet-length.ts'

/** What only shows on the line of why a login fails; ssh2 does not tell of it. */
export interface HandshakeWatch {
  /** `problem`, or what is truer of the server that ssh2 gave up with `error`. */
  readonly explain: (problem: SshProblem, error: Error) => SshProblem
  /** The server has not gone on in time. */
  readonly unanswered: () => SshProblem
}

/** Give it the line before the client has it. */
export function watchHandshake(client: Client, line: Duplex, ours: OfferedAlgorithms): HandshakeWatch {
  const theirOffer = noteServerProposal(line)
  const greeting = noteGreeting(line)
  let hasKeys = false
  client.once('handshake', () => (hasKeys = true))
  return {
    explain: (problem, error) => {
      const { turnedAway } = greeting()
      if (turnedAway !== null) return { kind: 'busy', detail: turnedAway }
      // Nothing else that a server says between the keys and the login can be that long.
      if (hasKeys && wasPacketTooLong(client, error)) return { kind: 'banner-too-long' }
      if (problem.kind !== 'no-common-algorithm') return problem
      return { kind: problem.kind, detail: bothProposals(problem.detail, theirOffer(), ours) }
    },
    unanswered: () => ({ kind: 'unanswered', step: greeting().isSsh ? 'login' : 'greeting' }),
  }
}

/** What a server has sent before its identification (RFC 4253 section 4.2), as far as it matters. */
export interface Greeting {
  /** It has begun to speak SSH. */
  readonly isSsh: boolean
  /** Why it turns logins away for the moment, in its own words. */
  readonly turnedAway: string | null
}

/** OpenSSH's words, in place of its identification: for MaxStartups, and since 9.8 for PerSourcePenalties. */
const turningAway = /^(?:Exceeded MaxStartups|Not allowed at this time)\b/m
/** It turns away in its first line, or after a few that somebody has put before it. */
const longestBefore = 1024
/** Not by `^`, which what is left of the piece before would pass for. */
const identification = /[\r\n]SSH-/
/** What may be cut off between two pieces: a line's end and `SSH-` without its last letter. */
const overlap = 4

/**
 * Notes how a server begins, as it passes by. Give it the socket after ssh2 has it.
 *
 * @returns what has passed so far
 */
export function noteGreeting(socket: Readable): () => Greeting {
  let first = ''
  let last = '\n'
  let isSsh = false
  const note = (piece: Buffer): void => {
    const text = piece.toString('latin1')
    isSsh = identification.test(`${last}${text}`)
    if (isSsh) socket.off('data', note)
    first = `${first}${text}`.slice(0, longestBefore)
    last = `${last}${text}`.slice(-overlap)
  }
  // Before ssh2, which may break off because of it.
  socket.prependListener('data', note)
  return () => ({ isSsh, turnedAway: isSsh ? null : (turningAway.exec(first)?.[0] ?? null) })
}
