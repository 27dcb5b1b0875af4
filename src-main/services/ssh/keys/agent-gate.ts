import { Duplex } from 'node:stream'
import type { Clock } from '../../../domain/base/clock.ts'
import { AgentFrames, framed } from './agent-frames.ts'
import type { AgentLine } from './agent-line.ts'
import { agentFailure, answersTo } from './agent-messages.ts'

/**
 * The agent as a machine meets it: what it may not ask is answered with a failure and never reaches the agent. One
 * request is looked at after the other, and none while its answers are not taken, so what waits is bounded by the
 * window of the machine's channel.
 */
export class AgentGate extends Duplex {
  readonly #agent: AgentLine
  readonly #clock: Clock
  readonly #frames = new AgentFrames()
  #isOver = false
  #taken: (() => void) | null = null

  constructor(agent: AgentLine, clock: Clock) {
    super()
    this.#agent = agent
    this.#clock = clock
    void agent.closed.then(() => this.endNow())
    // ssh2 pipes the machine's channel into it, and nobody takes its answers any more once that is closed.
    this.on('pipe', (channel: Duplex) => channel.once('close', () => this.destroy()))
  }

  /** Ends it also for the machine, which hears of an end and of no failure. */
  endNow(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#agent.close()
    // A stream that is destroyed before just falls silent.
    this.once('end', () => this.destroy())
    this.push(null)
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#serve(piece).then(done, () => {
      this.endNow()
      done()
    })
  }

  override _read(): void {
    this.#taken?.()
    this.#taken = null
  }

  override _final(done: () => void): void {
    this.endNow()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isOver = true
    this.#agent.close()
    done(error)
  }

  /** @throws Error when the agent has gone, or a message is none */
  async #serve(piece: Buffer): Promise<void> {
    for (const request of this.#frames.add(piece)) {
      // Thousands of them fit into a piece, and must not hold up all else.
      await this.#clock.sleep(0)
      if (this.#isOver) return
      const answer = await this.#answer(request)
      if (this.#isOver) return
      const isTaken = new Promise<void>((resolve) => (this.#taken = resolve))
      if (!this.push(framed(answer))) await isTaken
    }
  }

  async #answer(request: Buffer): Promise<Buffer> {
    const expected = answersTo(request)
    if (expected === null) return agentFailure
    const answer = await this.#agent.ask(request)
    if (answer[0] === undefined || !expected.includes(answer[0])) throw new Error('that is no answer to it')
    return answer
  }
}
