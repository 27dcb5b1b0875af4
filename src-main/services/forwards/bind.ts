import type { Server } from 'node:net'
import type { ForwardEntrance } from '../../domain/forwards/forward.ts'

/** Where a forward listens on this computer. */
export function addressOf({ reach }: ForwardEntrance): string {
  switch (reach) {
    case 'loopback':
      return '127.0.0.1'
    case 'network':
      return '0.0.0.0'
  }
}

/** Rejects with what the system says. */
export function startListening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The system's name of what went wrong (`EADDRINUSE`). */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
