import { connect, type Socket } from 'node:net'
import type { ClientChannel } from 'ssh2'
import type { Clock } from '../../domain/base/clock.ts'
import type { ForwardPlan, ForwardRefusal } from '../../domain/forwards/forward.ts'
import { type ForwardListener, ForwardFailed, mostConnections } from './listen.ts'
import { orAborted } from '../ssh/deadline.ts'
import type { RemoteListeners } from './remote-listeners.ts'
import type { Tunnels } from './tunnels.ts'

/**
 * Pauses between tries to get a port back: the instance's SSH server may hold it for the connection that was
 * lost until it has found out, too.
 */
const backOffMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000] as const

/** Lets the instance listen for this computer. */
export function createRemoteListener(
  { entrance, to }: Extract<ForwardPlan, { kind: 'remote' }>,
  {
    tunnels,
    listeners,
    clock,
    onOutcome,
  }: {
    readonly tunnels: Tunnels
    readonly listeners: RemoteListeners
    readonly clock: Clock
    readonly onOutcome: (refusal: ForwardRefusal | null) => void
  },
): ForwardListener {
  let unlisten: (() => void) | null = null
  let hasStood = false
  /** On their way to where they are led, each with what refuses it to the instance. */
  const connecting = new Map<Socket, () => void>()

  function lead(accept: () => ClientChannel, refuse: () => void): void {
    // The instance decides how many come.
    if (connecting.size + tunnels.traffic.connections >= mostConnections) return refuse()
    const socket = connect({ ...to, allowHalfOpen: true, noDelay: true })
    connecting.set(socket, refuse)
    const onError = (): void => {
      connecting.delete(socket)
      refuse()
      onOutcome('nothing-listens')
    }
    socket.once('error', onError)
    socket.once('connect', () => {
      connecting.delete(socket)
      socket.off('error', onError)
      tunnels.join(socket, accept(), null)
      onOutcome(null)
    })
  }

  /** Others may go on using the connection, on which the instance would go on listening, and waiting. */
  function leave(): void {
    unlisten?.()
    unlisten = null
    tunnels.close()
    for (const [socket, refuse] of connecting) {
      socket.destroy()
      refuse()
    }
    connecting.clear()
  }

  return {
    browsers: null,
    attach: async (client, signal) => {
      for (const pauseMs of [...backOffMs, null]) {
        try {
          unlisten = await answered(listeners.listen(client, entrance, lead), signal)
          hasStood = true
          return
        } catch (error) {
          if (!(error instanceof ForwardFailed) || !hasStood || pauseMs === null) throw error
          await clock.sleep(pauseMs, signal)
        }
      }
    },
    detach: leave,
    close: leave,
  }
}

/** An instance that leaves the question open keeps nobody; what it agrees to later is taken back. */
async function answered(listening: Promise<() => void>, signal: AbortSignal): Promise<() => void> {
  try {
    return await orAborted(listening, signal)
  } catch (error) {
    if (signal.aborted)
      void listening.then(
        (unlisten) => unlisten(),
        () => undefined, // it never listened
      )
    throw error
  }
}
