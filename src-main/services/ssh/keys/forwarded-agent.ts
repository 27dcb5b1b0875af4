import type { Duplex } from 'node:stream'
import ssh2, { type BaseAgent, type SignCallback, type SigningRequestOptions } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import { answerDeadlineMs } from './agent.ts'
import { within } from '../deadline.ts'
import { AgentGate } from './agent-gate.ts'
import { AgentLine } from './agent-line.ts'
import { forwardingBind } from './agent-messages.ts'
import type { SessionBinding } from '../protocol/session-binding.ts'

/** Beyond it a machine gets no further ones: it asks for as many as it likes. */
const mostAtOnce = 16

type Tell = (error: Error | null, stream?: Duplex) => void

/**
 * The agent of this computer as one machine may use it (`auth-agent@openssh.com`), only while the user wants that:
 * to list its keys and to sign with them, and nothing else.
 */
export class ForwardedAgent {
  readonly #agent: BaseAgent
  readonly #isWanted: () => boolean
  readonly #clock: Clock
  readonly #open = new Set<AgentGate>()
  /** Asked for and not there yet: they may all be asked for in one breath. */
  #opening = 0
  /** Of those the lines on which the agent has not answered yet. */
  readonly #asking = new Set<AgentLine>()

  /** @param socket of the agent, as `SSH_AUTH_SOCK` names it */
  constructor(socket: string, isWanted: () => boolean, clock: Clock) {
    this.#clock = clock
    this.#agent = ssh2.createAgent(socket)
    this.#isWanted = isWanted
  }

  /** Whether the user wants that now; asked anew at each use. */
  get isWanted(): boolean {
    return this.#isWanted()
  }

  /** Ends what the machine uses of it now. */
  endAll(): void {
    for (const line of this.#asking) line.close()
    for (const gate of this.#open) gate.endNow()
  }

  /**
   * As ssh2 asks for it on one connection.
   *
   * @param binding of that connection, which the agent is told first; without one, keys that are bound to hosts would
   *   serve a machine as if it were this computer, so it gets no agent
   */
  over(binding: () => SessionBinding | null): BaseAgent {
    return new AgentOfConnection((tell) => this.#openFor(binding(), tell))
  }

  #openFor(binding: SessionBinding | null, tell: Tell): void {
    if (!this.#isWanted() || binding === null || this.#open.size + this.#opening >= mostAtOnce)
      return tell(new Error('not forwarded'))
    if (this.#agent.getStream === undefined) return tell(new Error('this agent cannot be forwarded'))
    this.#opening += 1
    this.#agent.getStream((error, stream) => {
      if (error || !stream) {
        this.#opening -= 1
        return tell(error ?? new Error('no agent'))
      }
      const line = new AgentLine(stream)
      this.#asking.add(line)
      // Whatever it answers: many know nothing of this, and OpenSSH's, where it refuses, lets no bound key be used.
      const answered = line.ask(forwardingBind(binding))
      void within(this.#clock, answerDeadlineMs, answered, () => new Error('the agent does not answer'))
        .then(
          () => this.#gateTo(line, stream),
          (error: unknown) => {
            line.close()
            return error instanceof Error ? error : new Error(String(error))
          },
        )
        .then((gate) => {
          this.#opening -= 1
          this.#asking.delete(line)
          if (gate instanceof Error) tell(gate)
          else tell(null, gate)
        })
    })
  }

  #gateTo(line: AgentLine, stream: Duplex): AgentGate | Error {
    if (!this.#isWanted()) {
      line.close()
      return new Error('not forwarded any more')
    }
    const gate = new AgentGate(line, this.#clock)
    this.#open.add(gate)
    stream.once('close', () => this.#open.delete(gate))
    return gate
  }
}

/** It is not for logins: those have their own way to the agent. */
class AgentOfConnection extends ssh2.BaseAgent {
  readonly #open: (tell: Tell) => void

  constructor(open: (tell: Tell) => void) {
    super()
    this.#open = open
  }

  override getIdentities(tell: (error: Error | null, keys?: never[]) => void): void {
    tell(null, [])
  }

  override sign(
    _key: unknown,
    _data: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    const tell = typeof options === 'function' ? options : callback
    tell?.(new Error('it is not for logins'))
  }

  /** Each time the machine asks for the agent; an error where it is not to have it. */
  override getStream(tell: Tell): void {
    this.#open(tell)
  }
}
