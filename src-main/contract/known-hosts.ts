import { z } from 'zod'
import { knownHostsPreview } from '../domain/ssh/known-hosts-import.ts'
import { procedure } from './base.ts'

/** Keys of the user's own known_hosts for Slipway's; nothing is taken over unasked. */
export const knownHosts = {
  preview: procedure.output(knownHostsPreview),
  /** Takes over what `preview` showed as new. `invalid-input` when the file is another one by now. */
  take: procedure.input(z.object({ digest: z.string() })).output(z.object({ taken: z.number().int() })),
}
