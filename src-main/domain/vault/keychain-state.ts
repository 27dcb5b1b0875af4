import { z } from 'zod'

/** Whether secrets can be kept now. */
export const keychainState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('available') }),
  /** It exists but is closed: unlocking it is enough. */
  z.object({ kind: z.literal('locked'), detail: z.string() }),
  /** There is none that can be reached; secrets last for this run only. */
  z.object({ kind: z.literal('unavailable'), detail: z.string() }),
])
export type KeychainState = z.infer<typeof keychainState>
