import type { Client, ClientChannel } from 'ssh2'
import type { ForwardRefusal, ForwardTarget } from '../../domain/forwards/forward.ts'
import { takeWindow } from '../ssh/protocol/channel-window.ts'

/** Lets the server send so many bytes more; `null` where ssh2 does so by itself. */
export type Grant = (bytes: number) => void

export type OpenedChannel =
  | { readonly kind: 'opened'; readonly channel: ClientChannel; readonly grant: Grant | null }
  | { readonly kind: 'refused'; readonly refusal: ForwardRefusal }

/** Asks the instance to connect to a place that it can reach (`direct-tcpip`, RFC 4254 section 7.2). */
export function openChannel(
  client: Client,
  from: { readonly host: string; readonly port: number },
  to: ForwardTarget,
): Promise<OpenedChannel> {
  return new Promise((resolve) => {
    const refuse = (error: Error): void => resolve({ kind: 'refused', refusal: refusalOf(error) })
    try {
      client.forwardOut(from.host, from.port, to.host, to.port, (error, channel) => {
        if (error) refuse(error)
        else resolve({ kind: 'opened', channel, grant: takeWindow(client, channel) })
      })
    } catch (error) {
      // ssh2 throws when the connection has just gone.
      refuse(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** The reason codes of RFC 4254 section 5.1. */
function refusalOf(error: Error): ForwardRefusal {
  switch ('reason' in error ? error.reason : null) {
    case 1:
      return 'forbidden'
    case 2:
      return 'nothing-listens'
    case 4:
      return 'out-of-channels'
    default:
      return 'other'
  }
}
