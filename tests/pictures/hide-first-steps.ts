import { expect, type Page } from '@playwright/test'

/** Takes away the line with a newcomer's first steps, also where a notice has its place, and what is said about that. */
export async function hideFirstSteps(page: Page): Promise<void> {
  const hide = page.getByRole('button', { name: 'Hide first steps' })
  // A notice may come while this looks for the button.
  await expect(async () => {
    if (!(await hide.isVisible()))
      await page.getByRole('button', { name: /^Show \d+ more$/ }).click({ timeout: 1_000 })
    await hide.click({ timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
  const said = page.getByText('First steps hidden').first()
  await expect(said).toBeVisible()
  // A message that the mouse is over stays.
  await page.mouse.move(0, 0)
  await expect(said).toBeHidden({ timeout: 30_000 })
}
