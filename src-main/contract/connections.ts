import { eventIterator } from '@orpc/contract'
import { connectionsList } from '../domain/ssh-connection.ts'
import { procedure } from './base.ts'

export const connections = {
  /** The connections that were wanted since the start, with where they stand. */
  watch: procedure.output(eventIterator(connectionsList)),
}
