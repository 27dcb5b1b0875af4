import { z } from 'zod'
import { lineLog } from '../base/line-log.ts'

/** A terminal whose output main follows for its user, besides showing it. */
export const followedTerminal = z.object({
  terminalId: z.string(),
  /** A notification tells once when what runs in it is done. */
  notifies: z.boolean(),
  /** The file that its output is written to; `null` for none. */
  log: lineLog.nullable(),
})
export type FollowedTerminal = z.infer<typeof followedTerminal>
