import { z } from 'zod'
import { assertNever } from '../base/assert-never.ts'
import { connecting, connectionFailure, unknownHost, type ConnectionState } from '../ssh/ssh-connection.ts'
import { sshAddress, sshProblem, type SshAddress, type SshProblem } from '../ssh/ssh.ts'

/** Where a terminal stands: its shell's states, and those of its connection as far as it waits for that. */
export const terminalState = z.discriminatedUnion('kind', [
  connecting,
  unknownHost,
  ...connectionFailure.options,
  z.object({ kind: z.literal('open'), address: sshAddress, user: z.string() }),
  z.object({ kind: z.literal('exited'), code: z.number().nullable(), signal: z.string().nullable() }),
  /**
   * It was open and the link is lost; what is on the screen stays. Tried again by itself, at `retryAt`
   * (milliseconds since the Unix epoch) or, where that is `null`, just now.
   */
  z.object({
    kind: z.literal('reconnecting'),
    problem: sshProblem,
    address: sshAddress.nullable(),
    retryAt: z.number().nullable(),
  }),
])
export type TerminalState = z.infer<typeof terminalState>

/** Why a terminal without a shell has lost its connection, as it was told last. */
export interface TerminalLoss {
  readonly problem: SshProblem
  readonly address: SshAddress | null
}

/**
 * What a terminal shows of its connection while it waits for that.
 *
 * @param loss why it waits; `null` for its first connection
 * @returns `null` when how that ends is told by who waits for it
 */
export function terminalWaiting(state: ConnectionState, loss: TerminalLoss | null): TerminalState | null {
  switch (state.kind) {
    case 'unknown-host':
      return state
    case 'connecting':
    case 'passphrase':
    case 'login':
      if (loss === null) return { kind: 'connecting', address: state.address }
      return { kind: 'reconnecting', ...loss, retryAt: null }
    case 'waiting': {
      const { problem, address, retryAt } = state
      return { kind: 'reconnecting', problem, address, retryAt }
    }
    case 'idle':
    case 'open':
    case 'failed':
    case 'host-key-changed':
      return null
    default:
      return assertNever(state)
  }
}
