import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe finds on the page as it stands, in both themes. */
export async function findings(page: Page): Promise<string[]> {
  // A toast that is leaving is not the page as it stands.
  await expect(page.getByRole('region', { name: 'What happened' }).getByRole('listitem')).toHaveCount(0)
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    for (const { id, nodes } of violations)
      found.push(...nodes.map((node) => `${colorScheme}: ${id} ${node.target.join(' ')}`))
  }
  return found
}
