import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { isRunOver, type RunPhase } from '../../domain/runs/run.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import type { Connections, ConnectionLease } from '../ssh/connection/connections.ts'
import { SshFailure } from '../ssh/failure.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import { BoundedOutput } from './bounded-output.ts'
import { execute } from '../ssh/connection/execute.ts'

export interface RunPlaceOptions {
  readonly instanceId: number
  readonly command: string
  readonly connections: Pick<Connections, 'acquire'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
  /** The command is given to the instance now. */
  readonly onRunning: (instanceId: number) => void
  /** The phase is another one. */
  readonly onChange: (phase: RunPhase) => void
}

/** Characters that are kept of each instance's output. */
const mostKept = 1_000_000

/** A run on one of its instances. */
export class RunPlace {
  readonly instanceId: number
  /** Changes with every piece of output. */
  readonly written = new Latest(0)
  readonly #options: RunPlaceOptions
  #phase: RunPhase = { kind: 'connecting' }
  #output = new BoundedOutput(mostKept)
  #end = new AbortController()
  #ended: Promise<void> = Promise.resolve()

  constructor(options: RunPlaceOptions) {
    this.instanceId = options.instanceId
    this.#options = options
  }

  get phase(): RunPhase {
    return this.#phase
  }

  get output(): BoundedOutput {
    return this.#output
  }

  /** Begins, or begins anew when it is over. */
  start(): void {
    this.#end = new AbortController()
    this.#output = new BoundedOutput(mostKept)
    this.#show({ kind: 'connecting' })
    this.#note()
    this.#ended = this.#run(this.#end.signal)
  }

  /** Resolves when the command has ended, or has been left to itself. */
  stop(): Promise<void> {
    this.#end.abort(new Error('the command was stopped'))
    return this.#ended
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { connections, clock, randomId, command, instanceId } = this.#options
    let connection: ConnectionLease | null = null
    try {
      connection = await connections.acquire(instanceId, signal)
      const since = clock.now()
      this.#show({ kind: 'running', since })
      this.#options.onRunning(instanceId)
      const onOutput = (stream: 'out' | 'error', bytes: Uint8Array): void => {
        this.#output.add(stream, bytes)
        this.#note()
      }
      const { client, locale: env = {} } = connection
      const { isLeft, ...exit } = await execute({
        ...{ client, command, env, id: randomId(), clock, signal, onOutput },
      })
      this.#output.end()
      this.#note()
      if (signal.aborted) return this.#show({ kind: 'stopped', left: isLeft ? 'maybe-running' : 'ended' })
      const isKnown = exit.code !== null || exit.signal !== null
      const problem = isKnown ? null : await connectionLoss(connection, clock)
      if (problem !== null) return this.#show({ kind: 'lost', problem })
      this.#show({ kind: 'exited', since, until: clock.now(), ...exit })
    } catch (error) {
      if (signal.aborted) this.#show({ kind: 'stopped', left: 'not-begun' })
      else this.#show(this.#failureOf(error))
    } finally {
      connection?.release()
    }
  }

  #failureOf(error: unknown): RunPhase {
    if (error instanceof ConnectFailed) return { kind: 'not-connected', failure: error.failure }
    if (error instanceof SshFailure)
      return { kind: 'not-connected', failure: { kind: 'failed', problem: error.problem, address: null } }
    const id = this.#options.log.error('A command could not be run', error)
    return {
      kind: 'lost',
      problem: { kind: 'link-lost', detail: { code: 'fault', logId: id } },
    }
  }

  #note(): void {
    this.written.set(this.written.value + 1)
  }

  #show(phase: RunPhase): void {
    if (isRunOver(this.#phase) && isRunOver(phase)) return
    this.#phase = phase
    this.#options.onChange(phase)
  }
}
