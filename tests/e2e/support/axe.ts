import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Axe's rules of WCAG 2.2 A and AA, and its own best practice. Size of targets (2.5.8) is one that it leaves out unless asked. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds on the page as it stands, in both themes; the light one differs from the dark one in its colors only. */
export async function findings(page: Page): Promise<string[]> {
  // A toast that is leaving is not the page as it stands.
  await expect(page.getByRole('region', { name: 'What happened' }).getByRole('listitem')).toHaveCount(0)
  const dark = await findingsIn(page, 'dark', (axe) => axe.withTags(tags))
  const light = await findingsIn(page, 'light', (axe) =>
    axe.withRules(['color-contrast', 'link-in-text-block']),
  )
  return [...dark, ...light]
}

async function findingsIn(
  page: Page,
  colorScheme: 'dark' | 'light',
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // What passes would be told node by node, too, which takes longer than to find it.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const { violations } = await choose(axe).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${colorScheme}: ${id} ${node.target.join(' ')}`),
  )
}
