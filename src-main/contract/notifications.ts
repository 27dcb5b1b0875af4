import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { procedure } from './base.ts'

export const notifications = {
  /** The page that a notification of the desktop leads to, each time one is clicked. */
  opened: procedure.output(eventIterator(z.object({ path: z.string() }))),
}
