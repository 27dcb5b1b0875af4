import { z } from 'zod'

/** So many crash dumps are kept at most: each has some megabytes. */
export const keptDumps = 10
/** None is kept for longer. */
export const keptDumpsDays = 30

/** A part of Slipway's memory at the moment of a crash, as a file of so many bytes. */
const crashDump = z.object({ at: z.number(), bytes: z.number() })
export type CrashDump = z.infer<typeof crashDump>

export const crashDumps = z.object({
  folder: z.string(),
  /** Newest first. */
  dumps: z.array(crashDump).readonly(),
})
export type CrashDumpsView = z.infer<typeof crashDumps>
