import { once } from 'node:events'
import type { Clock } from '../../domain/base/clock.ts'
import type { ForwardPlan, ForwardRefusal, ForwardState } from '../../domain/forwards/forward.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'
import { type ForwardListener, ForwardFailed } from './listen.ts'
import { openLocalListener } from './local-listener.ts'
import { createRemoteListener } from './remote-listener.ts'
import type { RemoteListeners } from './remote-listeners.ts'
import type { Tunnels } from './tunnels.ts'

export interface RunOptions {
  readonly plan: ForwardPlan
  readonly instanceId: number
  readonly connections: Pick<Connections, 'acquire' | 'regain'>
  readonly listeners: RemoteListeners
  readonly tunnels: Tunnels
  readonly clock: Clock
  /** Tries until the connection stands, as after a loss; else once. */
  readonly isPatient: boolean
  readonly show: (state: ForwardState) => void
  /** Told when it listens, before it is open. */
  readonly onListening: (listener: Pick<ForwardListener, 'browsers'>) => void
}

/**
 * Keeps a forward up until the signal is aborted or only the user can help, over however many connections to
 * the instance. It shows how it does, and rejects only with what nobody foresaw.
 */
export async function runForward(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { instanceId, connections, clock, show } = options
  let listener: ForwardListener | null = null
  let isUp = false
  const onOutcome = (refusal: ForwardRefusal | null): void => {
    if (isUp) show({ kind: 'open', refusal })
  }
  try {
    listener = await openListener(options, onOutcome)
    options.onListening(listener)
    let connect = options.isPatient ? connections.regain : connections.acquire
    for (;;) {
      signal.throwIfAborted()
      const connection = await connect(instanceId, signal)
      const gone = new AbortController()
      void connection.ended.then(() => gone.abort())
      try {
        const isOver = AbortSignal.any([signal, gone.signal])
        await listener.attach(connection.client, isOver)
        isUp = true
        show({ kind: 'open', refusal: null })
        if (!isOver.aborted) await once(isOver, 'abort')
      } catch (error) {
        // A refusal of a connection that is going says nothing.
        if ((await connectionLoss(connection, clock)) === null) throw error
      } finally {
        isUp = false
        listener.detach()
        connection.release()
      }
      signal.throwIfAborted()
      show({ kind: 'reconnecting' })
      connect = connections.regain
    }
  } catch (error) {
    if (signal.aborted) return
    const problem = problemOf(error)
    if (problem === null) throw error
    show({ kind: 'failed', problem })
  } finally {
    listener?.close()
  }
}

function openListener(
  { plan, instanceId, tunnels, listeners, clock }: RunOptions,
  onOutcome: (refusal: ForwardRefusal | null) => void,
): Promise<ForwardListener> {
  switch (plan.kind) {
    case 'local':
    case 'dynamic':
      return openLocalListener(plan, { instanceId, tunnels, clock, onOutcome })
    case 'remote':
      return Promise.resolve(createRemoteListener(plan, { tunnels, listeners, clock, onOutcome }))
  }
}

function problemOf(error: unknown) {
  if (error instanceof ForwardFailed) return error.problem
  if (error instanceof ConnectFailed) return { kind: 'no-connection', failure: error.failure } as const
  return null
}
