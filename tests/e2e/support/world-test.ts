import { test as base } from '@playwright/test'
import { startWorld, type World, type WorldOptions } from './world.ts'

/** Playwright's test with a world of its own; `worldOptions` are set with `test.use`. */
export const test = base.extend<{ worldOptions: WorldOptions; world: World }>({
  worldOptions: [{}, { option: true }],
  world: async ({ worldOptions }, use, testInfo) => {
    const world = await startWorld(worldOptions)
    try {
      await use(world)
      if (testInfo.status !== testInfo.expectedStatus) {
        const { page } = world.app
        if (!page.isClosed())
          await testInfo.attach('window', { body: await page.screenshot(), contentType: 'image/png' })
        await testInfo.attach('app log', { body: world.app.logs(), contentType: 'text/plain' })
      }
    } finally {
      await world.end()
    }
  },
})

export { expect } from '@playwright/test'
