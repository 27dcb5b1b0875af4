import { expect, type Page } from '@playwright/test'

/** Takes away the line with a newcomer's first steps, and what is said about that. */
export async function hideFirstSteps(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Hide first steps' }).click()
  const said = page.getByText('First steps hidden').first()
  await expect(said).toBeVisible()
  // A message that the mouse is over stays.
  await page.mouse.move(0, 0)
  await expect(said).toBeHidden({ timeout: 30_000 })
}
