import type { Client } from 'ssh2'

/** Where connections come into a forward. */
export interface ForwardListener {
  /** Where a browser of this computer comes in; `null` for what leads to no single place of the instance. */
  readonly browserHost: string | null
  /** From now on they go through this connection. @throws ForwardFailed */
  readonly attach: (client: Client, signal: AbortSignal) => Promise<void>
  /** The connection is lost: what goes through it breaks off. The listener stays taken where it can. */
  readonly detach: () => void
  readonly close: () => void
}
