import { z } from 'zod'

/** A record of a list that isn't as the service's API describes it: it's told of, and the others are shown. */
const unreadableRecord = z.object({
  /** Where it stood in the reply; the first is 1. */
  place: z.number().int(),
  /** `null`: not even that can be read. */
  id: z.number().int().nullable(),
  /** What doesn't fit, with its path in the record. */
  detail: z.string(),
})
export type UnreadableRecord = z.infer<typeof unreadableRecord>

export const unreadableRecords = z.array(unreadableRecord).readonly()

/** A list as far as it could be read. What isn't among `records` may be one of the `unreadable` ones. */
export interface RecordList<T> {
  readonly records: readonly T[]
  readonly unreadable: readonly UnreadableRecord[]
}
