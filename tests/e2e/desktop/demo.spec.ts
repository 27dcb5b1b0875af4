import { expect, test } from '@playwright/test'
import { startDemoEnvironment } from '../support/demo-environment.ts'
import { launchApp } from '../support/launch.ts'

test('npm run dev -- --demo begins with an account that is connected, and with instances', async () => {
  const { userData, env, end } = await startDemoEnvironment()
  try {
    const app = await launchApp({ userData, env })
    try {
      const { page } = app
      await page.getByRole('link', { name: 'Instances' }).click()
      // Six are only listed, two are real, below the row of headings.
      await expect(page.getByRole('table', { name: 'Instances' }).getByRole('row')).toHaveCount(9)
    } finally {
      await app.close()
    }
  } finally {
    await end()
  }
})
