import { z } from 'zod'

/** Asks what one .gitignore file says of paths that count from its folder; folders end in a slash. */
export const gitignoreRequest = z.object({
  /** Which file, as the asker numbers them. */
  file: z.number().int(),
  /** What is in it, with the first request about it. */
  text: z.string().nullable(),
  /** Of the text, lines that alone name this path don't count. */
  spared: z.string().nullable(),
  paths: z.array(z.string()).readonly(),
})
export type GitignoreRequest = z.infer<typeof gitignoreRequest>

/** `none` leaves it to the file of the folder around. */
const verdict = z.enum(['ignored', 'unignored', 'none'])
export type Verdict = z.infer<typeof verdict>

/** One for each path. */
export const verdicts = z.array(verdict).readonly()
