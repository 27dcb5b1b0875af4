import type { Clock } from '../../domain/base/clock.ts'
import { contentOf, isSameContent, type TemplateContent } from '../../domain/templates/template-content.ts'
import type { Template } from '../../domain/templates/template.ts'

/** How long a request without a reply may take to show its effect, in ms; as with a rental (`renting.ts`). */
const showsWithinMs = 25_000
const pauseMs = 5_000

/**
 * Asks again and again for the effect of a request whose reply was lost.
 *
 * @param since when the reply was given up, ms since the epoch
 * @returns what `look` found, or `null` when it has found nothing for long enough
 */
export async function lookUntil<T>(
  { clock, since }: { readonly clock: Clock; readonly since: number },
  look: () => Promise<T | null>,
): Promise<T | null> {
  for (;;) {
    const askedAt = clock.now()
    const found = await look()
    if (found !== null || askedAt - since >= showsWithinMs) return found
    await clock.sleep(pauseMs)
  }
}

/**
 * The template that a lost creation made: it was not there before, and has the name and image that were sent. Of
 * several, the one that says exactly the same.
 */
export function findMade(
  templates: readonly Template[],
  sent: { readonly knownIds: readonly number[]; readonly content: TemplateContent },
): Template | null {
  const candidates = templates.filter(
    ({ id, name, image }) =>
      !sent.knownIds.includes(id) && name === sent.content.name && image === sent.content.image,
  )
  return candidates.find((one) => isSameContent(contentOf(one), sent.content)) ?? candidates[0] ?? null
}
