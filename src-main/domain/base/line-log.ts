import { z } from 'zod'

/** Why a log of lines has ended although nobody ended it; what it has stays. */
const lineLogEnd = z.discriminatedUnion('kind', [
  /** It is as large as it may be, in bytes. */
  z.object({ kind: z.literal('full'), mostBytes: z.number() }),
  z.object({ kind: z.literal('disk-full') }),
  /** In the system's words. */
  z.object({ kind: z.literal('failed'), detail: z.string() }),
])
export type LineLogEnd = z.infer<typeof lineLogEnd>

/** A file that output is written to. */
export const lineLog = z.object({
  path: z.string(),
  /** `null` while it goes on. */
  end: lineLogEnd.nullable(),
})
export type LineLogState = z.infer<typeof lineLog>
