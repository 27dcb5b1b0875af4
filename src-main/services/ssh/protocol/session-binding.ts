import type { Client } from 'ssh2'
import { at } from './inside.ts'

/** What ties an agent's connection to an SSH connection: the host's signature of the first key exchange. */
export interface SessionBinding {
  /** In SSH's wire format, as is the signature. */
  readonly hostKey: Buffer
  /** The hash of the first key exchange (RFC 4253 section 7.2), which is what was signed. */
  readonly sessionId: Buffer
  readonly signature: Buffer
}

export interface SessionWatch {
  /** To be called with the key that the host shows, each time that ssh2 asks about it. */
  readonly noteHostKey: (key: Buffer) => void
  /** `null` before the first keys are exchanged, and with an ssh2 whose inside is another one. */
  readonly binding: () => SessionBinding | null
}

/**
 * Keeps of a connection what an agent asks for in `session-bind@openssh.com` (OpenSSH's PROTOCOL.agent, section 1).
 * ssh2 1.17 forgets the signature once it is checked, so it is taken from the inside while the host key is looked at:
 * what turns out not to be the host's signature ends the connection.
 */
export function watchSession(client: Client): SessionWatch {
  let first: Omit<SessionBinding, 'sessionId'> | null = null
  return {
    noteHostKey: (hostKey) => {
      const signature = partOfExchange(client, '_sig')
      // Its bytes are in ssh2's own buffer, which is used again.
      if (signature !== null) first ??= { hostKey: Buffer.from(hostKey), signature: Buffer.from(signature) }
    },
    binding: () => {
      const sessionId = partOfExchange(client, 'sessionID')
      return first === null || sessionId === null ? null : { ...first, sessionId }
    },
  }
}

function partOfExchange(client: Client, name: string): Buffer | null {
  const part = at(client, '_protocol', '_kex', name)
  return Buffer.isBuffer(part) ? part : null
}
