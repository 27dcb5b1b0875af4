import { z } from 'zod'
import { connectionFailure } from '../ssh/ssh-connection.ts'

/** Why nothing could be found out. */
export const machineFailure = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('not-connected'), failure: connectionFailure }),
  /** The server on the instance opens no further channel. */
  z.object({ kind: z.literal('channel-refused') }),
  z.object({ kind: z.literal('link-lost') }),
  /** It said nothing that can be read, or not in time. */
  z.object({ kind: z.literal('nothing-said') }),
])
export type MachineFailure = z.infer<typeof machineFailure>
