import { keyPermissions } from '../domain/accounts/key-health.ts'
import { procedure } from './base.ts'

export const keyHealth = {
  /** Asks the service for something harmless of each category. What it answers is in the answer, not an error. */
  ask: procedure.output(keyPermissions),
}
