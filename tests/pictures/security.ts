import { expect, type Page } from '@playwright/test'
import { openSecurity } from '../e2e/support/security-actions.ts'
import { both } from '../e2e/support/security-scene.ts'
import type { Walk } from './picture.ts'
import { hideFirstSteps } from './hide-first-steps.ts'

/** Of nothing: a picture must not show a code that opens anything. */
const forgeKey = 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
const mailKey = 'MFRG GZDF MZTW Q2LK NNWG 23TP OBYX E43U'
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
        await hideFirstSteps(page)
        await addPassword(page, 'Code forge', forgeKey)
        await addPassword(page, 'Mail', mailKey)
        await page.getByRole('button', { name: 'Add backup codes' }).click()
        await page.getByLabel('Codes', { exact: true }).fill(backupCodes.join('\n'))
        await page.getByRole('button', { name: 'Add', exact: true }).click()
        await expect(page.getByText('3 unused')).toBeVisible()
        await expect(page.getByLabel('Code of Mail', { exact: true })).toBeVisible()
      },
    },
  ],
}

async function addPassword(page: Page, service: string, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a one-time password' }).click()
  await page.getByLabel('Service', { exact: true }).fill(service)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('listitem', { name: service, exact: true })).toBeVisible()
}
