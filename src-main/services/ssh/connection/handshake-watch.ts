import type { Duplex, Readable } from 'node:stream'
import type { Client } from 'ssh2'
import type { SshReason } from '../../../domain/ssh/ssh-detail.ts'
import type { SshProblem } from '../../../domain/ssh/ssh.ts'
import type { OfferedAlgorithms } from '../protocol/algorithms.ts'
import { bothProposals, noteServerProposal } from '../protocol/server-proposal.ts'
import { wasPacketTooLong } from '../protocol/packet-length.ts'
import { problemOfSocketError, SshFailure } from '../failure.ts'

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
/** More than any server says before its identification. */
const longestGreeting = 16 * 1024
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

/** The whole line: who only begins it may never end it. 1.99 is a server of both versions (RFC 4253 section 5.1). */
const wholeIdentification = /[\r\n]SSH-(\d+\.\d+)-[^\n]*\n/
const spokenVersions: readonly (string | undefined)[] = ['2.0', '1.99']

/**
 * Waits until a server has said that it speaks SSH, which it does before anything is said to it. All that it has sent
 * is still to be read from the stream then.
 *
 * @throws SshFailure busy, not-ssh, or what befell the stream
 */
export async function awaitIdentification(stream: Readable): Promise<void> {
  const said = Promise.withResolvers<undefined>()
  const pieces: Buffer[] = []
  let length = 0
  /** From the last line's beginning on: what is before has been searched. */
  let unsearched = ''
  const fail = (detail: SshReason): void => {
    const turnedAway = turningAway.exec(Buffer.concat(pieces).toString('latin1'))?.[0]
    said.reject(
      new SshFailure(
        turnedAway === undefined ? { kind: 'not-ssh', detail } : { kind: 'busy', detail: turnedAway },
      ),
    )
  }
  const look = (): void => {
    let hasLine = false
    for (let piece: unknown = stream.read(); piece !== null; piece = stream.read()) {
      if (!Buffer.isBuffer(piece)) continue
      pieces.push(piece)
      length += piece.length
      unsearched += piece.toString('latin1')
      hasLine ||= piece.includes('\n')
    }
    const end = hasLine ? unsearched.lastIndexOf('\n') + 1 : 0
    const found = end === 0 ? null : wholeIdentification.exec(`\n${unsearched.slice(0, end)}`)
    unsearched = unsearched.slice(end)
    if (found !== null && spokenVersions.includes(found[1])) {
      leave()
      // At once: a stream that has ended meanwhile takes nothing back any more.
      stream.unshift(Buffer.concat(pieces))
      said.resolve(undefined)
    } else if (found !== null || length > longestGreeting) fail({ code: 'no-ssh-greeting' })
  }
  const onEnd = (): void => fail({ code: 'closed-before-ssh' })
  const onError = (error: Error): void =>
    said.reject(new SshFailure(problemOfSocketError(error), { cause: error }))
  const leave = (): void =>
    void stream.off('readable', look).off('end', onEnd).off('close', onEnd).off('error', onError)
  stream.on('readable', look).on('end', onEnd).on('close', onEnd).on('error', onError)
  try {
    await said.promise
  } finally {
    leave()
  }
}
