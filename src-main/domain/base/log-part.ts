import { z } from 'zod'

/** Part of a log. `from` and `to` are bytes of the whole log, `text` what they say. */
export const logPart = z.object({
  from: z.number(),
  to: z.number(),
  /** All of the log, as far as it can be read. */
  size: z.number(),
  /** Of a log beyond its bound only the newest bytes are kept: those from here on. */
  keptFrom: z.number(),
  text: z.string(),
})
export type LogPart = z.infer<typeof logPart>

/** One line that has what was looked for. */
const logHit = z.object({ at: z.number(), line: z.string() })
export type LogHit = z.infer<typeof logHit>

/** Lines that were found, and the byte to go on from; `null` when all was looked through. */
export const logHits = z.object({ hits: z.array(logHit).readonly(), next: z.number().nullable() })
export type LogHits = z.infer<typeof logHits>
