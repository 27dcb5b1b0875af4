import type { Duplex } from 'node:stream'
import type { Client } from 'ssh2'
import type { SshProblem } from '../../../domain/ssh/ssh.ts'
import type { OfferedAlgorithms } from '../protocol/algorithms.ts'
import { bothProposals, noteServerProposal } from '../protocol/server-proposal.ts'
import { wasPacketTooLong } from '../protocol/packet-length.ts'
import { noteGreeting } from './greeting.ts'

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
