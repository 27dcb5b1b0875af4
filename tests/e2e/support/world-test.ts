import { test as base, type TestInfo } from '@playwright/test'
import { startWorld, type World, type WorldOptions } from './world.ts'

/** Where offers aren't what a test is about: of 200, the first page takes 0.4 s more of the processor. */
const fewOffers = { offers: 24 }

/**
 * Playwright's test with a world of its own, whose app begins with a connected account on the page of offers, unless
 * `account` says otherwise. Both options are set with `test.use`.
 */
export const test = base.extend<{
  account: NonNullable<WorldOptions['account']>
  worldOptions: Omit<WorldOptions, 'account'>
  world: World
}>({
  account: ['connected', { option: true }],
  worldOptions: [{}, { option: true }],
  world: async ({ account, worldOptions }, use, testInfo) => {
    const service = { ...fewOffers, ...worldOptions.service }
    const world = await startWorld({ ...worldOptions, service, account })
    try {
      await use(world)
      if (testInfo.status !== testInfo.expectedStatus) await attachWhatIsSeen(testInfo, world)
    } finally {
      await world.end()
    }
  },
})

/** What there is to look at of a test that failed. */
export async function attachWhatIsSeen(testInfo: TestInfo, { app }: World, page = app.page): Promise<void> {
  if (!page.isClosed())
    await testInfo.attach('window', { body: await page.screenshot(), contentType: 'image/png' })
  await testInfo.attach('app log', { body: app.logs(), contentType: 'text/plain' })
}

/** The same with an app that has no account yet, as at its first run. */
export const testWithoutAccount = test.extend({ account: 'none' })

export { expect } from '@playwright/test'
