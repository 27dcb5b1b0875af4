import { z } from 'zod'

/** A page that is shown again at the next start: a place without a question in it. */
export const keptPage = z
  .string()
  .max(100)
  .regex(
    /^\/(offers|instances(\/\d{1,15}(\/files)?)?|terminals|account|templates(\/\d{1,15}(\/edit)?)?|cloud|security|run|settings|diagnostics)$/,
  )

/** What the palette calls an entry, such as `instance:4711:files`. */
export const recentEntry = z.string().min(1).max(200)
export const mostRecents = 20

/** How the window of an account was left. */
export const workbenchState = z.object({
  page: keptPage.nullable(),
  /** What was chosen in the palette lately, the latest first. */
  recents: z.array(recentEntry).max(mostRecents).readonly(),
})
export type WorkbenchState = z.infer<typeof workbenchState>

export const emptyWorkbenchState: WorkbenchState = { page: null, recents: [] }

export function withRecent(recents: readonly string[], id: string): readonly string[] {
  return [id, ...recents.filter((other) => other !== id)].slice(0, mostRecents)
}
