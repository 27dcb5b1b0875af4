import { z } from 'zod'
import { appCommandId } from './app-commands.ts'

/** What a page is asked to do from outside of it: by the menu, the tray or a link. It goes somewhere, and acts on nothing. */
export const pageRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), id: appCommandId }),
  z.object({ kind: z.literal('instance'), id: z.number().int() }),
  /** A link named an instance that no account has, or several have: those, as `accounts` names them. */
  z.object({
    kind: z.literal('instance-unclear'),
    id: z.number().int(),
    accounts: z.array(z.string()).readonly(),
    /** Accounts whose list is not known, so that it may be theirs. */
    unknown: z.array(z.string()).readonly(),
  }),
  /** A link named a project's folder. It's neither read nor looked at before the user says so. */
  z.object({ kind: z.literal('job-folder'), folder: z.string().min(1).max(4096) }),
])
export type PageRequest = z.infer<typeof pageRequest>
