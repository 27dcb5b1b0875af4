import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { sshConfigState } from '../domain/ssh/ssh-config.ts'
import { nothing, procedure } from './base.ts'

export const sshConfig = {
  watch: procedure.output(eventIterator(sshConfigState)),
  /** Adds one line to the user's own SSH configuration, or takes it out. */
  setIncluded: procedure.input(z.object({ included: z.boolean() })).output(nothing),
}
