import type { Duplex } from 'node:stream'
import { AgentFrames, framed } from './agent-frames.ts'

/** A connection to the agent, on which one thing is asked after the other. */
export class AgentLine {
  /** Resolves when the agent has gone, or was ended because it says what nobody asked. */
  readonly closed: Promise<undefined>
  readonly #stream: Duplex
  readonly #tellClosed: (nothing: undefined) => void
  #waiting: PromiseWithResolvers<Buffer> | null = null
  #isOver = false

  constructor(stream: Duplex) {
    this.#stream = stream
    const closed = Promise.withResolvers<undefined>()
    this.closed = closed.promise
    this.#tellClosed = closed.resolve
    const frames = new AgentFrames()
    stream.on('data', (piece: Buffer) => {
      try {
        for (const answer of frames.add(piece)) this.#take(answer)
      } catch {
        this.close() // no agent speaks like that
      }
    })
    for (const event of ['end', 'error', 'close']) stream.on(event, () => this.close())
  }

  /** Not before the question before it was answered. @throws Error when the agent has gone, or goes */
  ask(request: Buffer): Promise<Buffer> {
    if (this.#isOver) return Promise.reject(new Error('the agent has gone'))
    this.#waiting = Promise.withResolvers()
    this.#stream.write(framed(request))
    return this.#waiting.promise
  }

  close(): void {
    this.#isOver = true
    this.#stream.destroy()
    this.#tellClosed(undefined)
    this.#waiting?.reject(new Error('the agent has gone'))
    this.#waiting = null
  }

  #take(answer: Buffer): void {
    if (this.#waiting === null) return this.close() // nobody asked
    this.#waiting.resolve(answer)
    this.#waiting = null
  }
}
