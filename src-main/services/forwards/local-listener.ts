import type { Socket } from 'node:net'
import type { Client } from 'ssh2'
import type { Clock } from '../../domain/base/clock.ts'
import type { ForwardPlan, ForwardRefusal } from '../../domain/forwards/forward.ts'
import { measureRoundTrip } from '../ssh/protocol/round-trip.ts'
import { type ForwardListener, listen } from './listen.ts'
import { openChannel } from './open-channel.ts'
import { openToBrowsers } from './own-address.ts'
import { grantSocksRequest, hearSocksRequest, refuseSocksRequest } from './socks.ts'
import type { Tunnels } from './tunnels.ts'

/** Listens on this computer. @throws ForwardFailed */
export async function openLocalListener(
  plan: Extract<ForwardPlan, { kind: 'local' | 'dynamic' }>,
  {
    instanceId,
    tunnels,
    clock,
    onOutcome,
  }: {
    readonly instanceId: number
    readonly tunnels: Tunnels
    readonly clock: Clock
    readonly onOutcome: (refusal: ForwardRefusal | null) => void
  },
): Promise<ForwardListener> {
  let client: Client | null = null
  let roundTripMs: number | null = null
  /** Those that are not through yet. */
  const waiting = new Set<Socket>()

  async function lead(socket: Socket): Promise<void> {
    const to = plan.kind === 'local' ? plan.to : await hearSocksRequest(socket)
    if (to === null) return
    const refuse = (refusal: ForwardRefusal): void => {
      if (plan.kind === 'dynamic') refuseSocksRequest(socket, refusal)
      else socket.resetAndDestroy()
    }
    // While the connection is lost: whoever comes is told at once, instead of waiting for what may not come.
    if (client === null) return refuse('other')
    const from = { host: socket.remoteAddress ?? '127.0.0.1', port: socket.remotePort ?? 0 }
    const opened = await openChannel(client, from, to)
    if (opened.kind === 'refused') {
      refuse(opened.refusal)
      return onOutcome(opened.refusal)
    }
    if (plan.kind === 'dynamic') grantSocksRequest(socket)
    const { channel, grant } = opened
    tunnels.join(socket, channel, grant && { grant, roundTripMs: () => roundTripMs ?? 0 })
    onOutcome(null)
  }

  const accept = (socket: Socket): void => {
    socket.pause()
    // A client may leave at any time; the tunnel, once there is one, hears of it itself.
    socket.on('error', () => undefined)
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
    void lead(socket).finally(() => waiting.delete(socket))
  }
  const server = await listen(plan.entrance, accept)
  const browsers = plan.kind === 'local' ? await openToBrowsers(plan.entrance, instanceId, accept) : null

  const breakOff = (): void => {
    tunnels.close()
    for (const socket of waiting) socket.destroy()
  }
  return {
    browsers: browsers?.entrance ?? null,
    attach: (next) => {
      client = next
      roundTripMs = null
      // Nobody waits for it: until it is known, and where it cannot be, windows stay as they are. Several times, and the
      // least: what stands in line behind something else would make a server seem far that is not.
      const measure = async (): Promise<void> => {
        const ms = await measureRoundTrip(next, clock)
        if (client === next && ms !== null) roundTripMs = Math.min(ms, roundTripMs ?? ms)
      }
      void measure().then(measure).then(measure)
      return Promise.resolve()
    },
    detach: () => {
      client = null
      breakOff()
    },
    close: () => {
      client = null
      server.close()
      for (const each of browsers?.servers ?? []) each.close()
      breakOff()
    },
  }
}
