import type { HttpBindings } from '@hono/node-server'
import type { OpenEntry } from './journal.ts'

/** What every request to the service has with it. */
export interface ServiceEnv {
  Bindings: HttpBindings
  Variables: { entry: OpenEntry; body: Buffer }
}
