import type { Duplex } from 'node:stream'
import ssh2, { type BaseAgent, type SignCallback, type SigningRequestOptions } from 'ssh2'

/** Beyond it a machine gets no further ones: it asks for as many as it likes. */
const mostAtOnce = 16

/**
 * The agent of this computer as one machine may use it (`auth-agent@openssh.com`), only while the user wants that.
 * It is not for logins: those have their own way to the agent.
 */
export class ForwardedAgent extends ssh2.BaseAgent {
  readonly #agent: BaseAgent
  readonly #isWanted: () => boolean
  readonly #open = new Set<Duplex>()
  /** Asked for and not there yet: they may all be asked for in one breath. */
  #opening = 0

  /** @param socket of the agent, as `SSH_AUTH_SOCK` names it */
  constructor(socket: string, isWanted: () => boolean) {
    super()
    this.#agent = ssh2.createAgent(socket)
    this.#isWanted = isWanted
  }

  /** Whether the user wants that now; asked anew at each use. */
  get isWanted(): boolean {
    return this.#isWanted()
  }

  /** Ends what the machine uses of it now. */
  endAll(): void {
    for (const stream of this.#open) {
      // Its end, which what it is piped into hears of; a stream that is destroyed just falls silent.
      stream.once('end', () => stream.destroy())
      stream.push(null)
      stream.end()
    }
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
  override getStream(tell: (error: Error | null, stream?: Duplex) => void): void {
    if (!this.#isWanted() || this.#open.size + this.#opening >= mostAtOnce)
      return tell(new Error('not forwarded'))
    if (this.#agent.getStream === undefined) return tell(new Error('this agent cannot be forwarded'))
    this.#opening += 1
    this.#agent.getStream((error, stream) => {
      this.#opening -= 1
      if (error || !stream) return tell(error ?? new Error('no agent'))
      this.#open.add(stream)
      stream.once('close', () => this.#open.delete(stream))
      if (this.#isWanted()) return tell(null, stream)
      stream.destroy()
      tell(new Error('not forwarded any more'))
    })
  }
}
