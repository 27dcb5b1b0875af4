import type { Clock } from '../domain/clock.ts'
import type { SshAddress } from '../domain/ssh.ts'
import { connect, type Connection } from './connection.ts'
import { SshFailure } from './failure.ts'
import { prepareHostKeyCheck } from './host-key-check.ts'
import type { Identities } from './identities.ts'
import type { KnownHostsFile } from './known-hosts-file.ts'
import type { AskPassphrase } from './locked-keys.ts'
import type { Answer, Asked } from './question.ts'

export interface LoginWorld {
  readonly address: SshAddress
  readonly user: string
  readonly identities: () => Promise<Identities>
  readonly knownHosts: KnownHostsFile
  readonly clock: Clock
  readonly ask: (asked: Asked, signal: AbortSignal) => Promise<Answer>
}

/**
 * Connects to one address and logs in, asking what only the user knows.
 *
 * @throws SshFailure, HostKeyChanged, or the signal's reason
 */
export async function logIn(world: LoginWorld, signal: AbortSignal): Promise<Connection> {
  const { address, user, knownHosts, clock } = world
  let passphraseGiven = false

  const ask: AskPassphrase = async (key, asked) => {
    const within = AbortSignal.any([signal, asked])
    const answer = await world.ask({ kind: 'passphrase', address, key }, within)
    if (answer.kind !== 'passphrase') return null
    passphraseGiven = true
    return answer
  }

  async function attempt(): Promise<Connection> {
    const hostKey = await prepareHostKeyCheck(knownHosts, address, async (offered) => {
      const answer = await world.ask({ kind: 'unknown-host', address, offered }, signal)
      return answer.kind === 'trust'
    })
    const identities = await world.identities()
    signal.throwIfAborted()
    return connect({ address, user, identities, hostKey, ask, clock, signal })
  }

  try {
    return await attempt()
  } catch (error) {
    // The machine waits two minutes for a login; who looks for a passphrase may take longer.
    const cameTooLate = passphraseGiven && error instanceof SshFailure && error.problem.kind === 'link-lost'
    if (!cameTooLate) throw error
    return await attempt()
  }
}
