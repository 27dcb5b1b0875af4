import type { MachineFailure } from '../../domain/figures/machine-failure.ts'
import { ConnectFailed } from '../ssh/connection/connect-failure.ts'
import { SshFailure } from '../ssh/failure.ts'

export const nothingSaid: MachineFailure = { kind: 'nothing-said' }

/** Ends what is asked of an instance, with what the user is told. */
export class MachineFailed extends Error {
  readonly failure: MachineFailure
  constructor(failure: MachineFailure) {
    super(failure.kind)
    this.name = 'MachineFailed'
    this.failure = failure
  }
}

/** What the user is told of it; `null` for what nobody expected. */
export function machineFailureOf(error: unknown): MachineFailure | null {
  if (error instanceof MachineFailed) return error.failure
  if (error instanceof ConnectFailed) return { kind: 'not-connected', failure: error.failure }
  return error instanceof SshFailure ? { kind: 'channel-refused' } : null
}
