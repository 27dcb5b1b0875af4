import { expect, type Page } from '@playwright/test'
import { openSecurity } from '../e2e/security-actions.ts'
import { both } from '../e2e/security-scene.ts'
import type { Walk } from './picture.ts'

/** The key of RFC 6238's test vectors: a picture must not show a code that opens anything. */
const key = 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
const backupCodes = ['ABCD-EFGH-2345', 'IJKL-MNOP-2345', 'QRST-UVWX-2345']

/** docs/guide/security.md: an account with two methods, and a vault that holds something. */
export const security: Walk = {
  name: 'security',
  world: { service: { port: 4102 } },
  pictures: [
    {
      name: 'security',
      steps: async ({ page, world }) => {
        const [fixture, options] = both
        await openSecurity(page, world.service, fixture, options)
        await page.getByRole('button', { name: 'Put the first steps away' }).click()
        await addPassword(page, 'Code forge')
        await addPassword(page, 'Mail')
        await page.getByRole('button', { name: 'Add codes you have' }).click()
        await page.getByLabel('Codes', { exact: true }).fill(backupCodes.join('\n'))
        await page.getByRole('button', { name: 'Add', exact: true }).click()
        await expect(page.getByText('3 unused')).toBeVisible()
        await expect(page.getByText('The first steps are put away').first()).toBeHidden({ timeout: 30_000 })
        await expect(page.getByLabel('Code of Mail', { exact: true })).toBeVisible()
      },
    },
  ],
}

async function addPassword(page: Page, service: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a one-time password' }).click()
  await page.getByLabel('Service', { exact: true }).fill(service)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('listitem', { name: service, exact: true })).toBeVisible()
}
