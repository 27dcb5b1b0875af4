import { z } from 'zod'

/** The file beside the code that a team shares a job by. */
export const definitionName = 'slipway.json'
/** Of such a file, in characters: far more than any definition takes. */
export const longestDefinition = 1_000_000

/** One line of a .gitignore file. */
const pattern = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine((text) => !/[\0\r\n]/.test(text))

/**
 * A file or folder of the project that comes back, with `*` and `**` as in .gitignore, from the project's folder on. It
 * can't lead out of that folder.
 */
const outputPattern = pattern.refine(
  (text) => !text.startsWith('/') && !text.startsWith('!') && !text.split('/').includes('..'),
)

/** What is done with the instance once the outputs are here and compared. */
export const jobEnd = z.enum(['keep', 'stop', 'destroy'])
export type JobEnd = z.infer<typeof jobEnd>

/** What is to be done with a folder, on whichever instance, as a job that was begun has it. */
export const begunDefinition = z.object({
  name: z.string().trim().min(1).max(100),
  /** Given to `sh` in the project's folder on the instance; may have several lines. */
  command: z
    .string()
    .max(32_768)
    .refine((text) => text.trim() !== '' && !text.includes('\0')),
  send: z.object({
    /** Leaves out what .gitignore files name, and .git itself. */
    honorGitignore: z.boolean(),
    /** Left out besides, as lines of a .gitignore file in the project's folder. */
    exclude: z.array(pattern).max(200).readonly(),
  }),
  /** What comes back; none for a job whose log is all that is wanted. */
  fetch: z.array(outputPattern).max(100).readonly(),
  then: jobEnd,
  /**
   * The instance stops itself so many minutes after the command has ended, by a rule of its own, if Slipway hasn't ended
   * the job by then. It never destroys itself: the outputs are still there. `null`: it waits for Slipway, and is charged.
   */
  stopAfterMinutes: z.number().int().min(1).max(10_080).nullable(),
})
export type JobDefinition = z.infer<typeof begunDefinition>

/** The same for a new job: it takes nothing back that .gitignore files leave out, such as secrets, as definitions come from strangers, too. */
export const jobDefinition = begunDefinition.extend({
  send: begunDefinition.shape.send.extend({
    exclude: z
      .array(pattern.regex(/^\s*[^!\s]/))
      .max(200)
      .readonly(),
  }),
})
