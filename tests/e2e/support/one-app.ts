import { expect, type Page, test } from '@playwright/test'
import { addAccount, connect, signOut } from './actions.ts'
import { attachWhatIsSeen } from './world-test.ts'
import { startWorld, type World } from './world.ts'

/** One app for several tests, in which each has a window of its own that has no account yet. */
export interface OneApp {
  readonly service: World['service']
  /** Of the test that runs; the account that it connects is signed out after it. */
  readonly page: Page
}

/**
 * To be called in a file or a `describe` whose tests need no more of an app than an account: another window takes less
 * of the processor than another app, service, and keychain. The service's clock goes on from test to test. After a test
 * that failed the others have a new app.
 */
export function inOneApp(): OneApp {
  // In one worker, one after the other: tests of two workers would need two apps.
  test.describe.configure({ mode: 'default' })
  let world: World | null = null
  let page: Page | null = null
  test.beforeAll(async () => {
    world = await startWorld({ service: { offers: 1 } })
    await connect(world.app.page, world.service)
    // The next step is there: what was opened before is closed when it comes.
    await expect(world.app.page.getByRole('button', { name: 'Create SSH key' })).toBeVisible()
  })
  test.beforeEach(async () => {
    page = await addAccount(there(world).app.page)
  })
  test.afterEach(async () => {
    const { status, expectedStatus } = test.info()
    if (status === expectedStatus) await signOut(there(page))
    else await attachWhatIsSeen(test.info(), there(world), there(page))
  })
  test.afterAll(() => world?.end())
  return {
    get service() {
      return there(world).service
    },
    get page() {
      return there(page)
    },
  }
}

function there<T>(value: T | null): T {
  if (value === null) throw new Error('It is there once a test runs')
  return value
}
