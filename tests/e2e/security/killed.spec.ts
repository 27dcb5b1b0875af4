import { expect, test, type Page } from '@playwright/test'
import { startHoldingProxy, type HeldAt, type HoldingProxy } from '../support/holding-proxy.ts'
import {
  beginFirstTotp,
  button,
  chooseBackupCode,
  enrollTotp,
  methods,
  openSecurity,
  verifyBy,
  type Owner,
} from '../support/security-actions.ts'
import { startWorld, type World } from '../support/world.ts'

/** Slipway is killed as by a crash, at each point around what the service shows once, and started again. */

let world: World
let proxy: HoldingProxy
test.beforeEach(async () => {
  world = await startWorld({ service: { offers: 1 } })
  proxy = await startHoldingProxy(world.service.baseUrl)
})
test.afterEach(async () => {
  await proxy.close()
  await world.end()
})

const confirmNew = ['POST', '/api/v0/tfa/confirm-new/'] as const
const regenerate = ['PUT', '/api/v0/tfa/regen-backup-codes/'] as const
const lost = 'Your backup codes never arrived'
const unsaved = 'Your backup codes are only on this computer'

test('killed around confirm-new and around new codes: what to do is said, and doing it works', async () => {
  const owner = await open()
  let { page } = world.app
  await beginFirstTotp(page, owner)
  owner.requests()

  // Before the request has reached the service.
  page = await killWhile(confirmNew, 'request', () => enrollTotp(page, world.service))
  await expect(notice(page, 'No reply when confirming a method')).toContainText('Check again')
  expect(owner.requests()).toEqual([])

  // The window to add methods is open still: nothing is verified anew.
  await button(page, 'Set up two-factor authentication').click()
  await button(page, 'Authenticator app').click()
  // Between the request and its reply.
  page = await killWhile(confirmNew, 'reply', () => enrollTotp(page, world.service))
  await expect(notice(page, lost)).toContainText('Create new codes now')
  await expect(methods(page)).toHaveCount(1)
  await expect(methods(page)).toContainText('In your vault')
  expect(owner.requests()).toEqual(['POST tfa/totp-setup/', 'POST tfa/confirm-new/'])

  // The same around the new codes that are asked for then.
  for (const at of ['request', 'reply', 'keeping'] as const) {
    page = await killWhile(regenerate, at, () => renewByVault(page))
    await expect(notice(page, lost)).toBeVisible()
    expect(owner.requests()).toEqual(at === 'request' ? [] : ['PUT tfa/regen-backup-codes/'])
  }

  // After they were kept.
  await renewByVault(page)
  const codes = page.getByRole('list', { name: 'New codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const shown = await codes.allInnerTexts()
  page = await restart()
  await expect(notice(page, unsaved)).toBeVisible()
  await expect(notice(page, lost)).toHaveCount(0)
  await notice(page, unsaved).getByRole('button', { name: 'Save codes' }).click()
  await expect(codesOn(page)).toHaveText(shown)
  expect(owner.requests()).toEqual(['PUT tfa/regen-backup-codes/'])
  await saveCodes(page)
  await expect(page.getByText(unsaved)).toHaveCount(0)

  await button(page, 'Sign in').click()
  await chooseBackupCode(page)
  await verifyBy(page, shown[9] ?? '')
  await expect(page.getByText('You’re signed in')).toBeVisible()
})

for (const at of ['keeping', 'kept'] as const)
  test(`killed after the reply to confirm-new: the codes ${at === 'kept' ? 'are in the vault' : 'are said to be lost'}`, async () => {
    const owner = await open()
    let { page } = world.app
    await beginFirstTotp(page, owner)
    const enroll = () => enrollTotp(page, world.service)
    if (at === 'keeping') {
      page = await killWhile(confirmNew, at, enroll)
      await expect(notice(page, lost)).toBeVisible()
      await renewByVault(page)
    } else {
      await enroll()
      await expect(codesOn(page)).toHaveCount(10)
      page = await restart()
      await notice(page, unsaved).getByRole('button', { name: 'Save codes' }).click()
    }
    await expect(codesOn(page)).toHaveCount(10)
    await saveCodes(page)
    await expect(methods(page)).toContainText('In your vault')
    await expect(page.getByText('10 of 10 left')).toBeVisible()
    expect(owner.requests().filter((each) => each === 'POST tfa/confirm-new/')).toHaveLength(1)
  })

const open = (): Promise<Owner> => openSecurity(world.app.page, { ...world.service, baseUrl: proxy.baseUrl })

/** Does it, and kills Slipway when the request, or its reply, has come that far. */
async function killWhile(
  [method, path]: readonly [string, string],
  at: HeldAt | 'keeping',
  work: () => Promise<unknown>,
): Promise<Page> {
  const reached = proxy.hold(method, path, at === 'request' ? at : 'reply')
  await work()
  const held = await reached
  if (at === 'keeping') {
    // The reply arrives, and what came with it cannot be put into the vault for now.
    world.keyring?.freeze()
    held.release()
    await expect(world.app.page.getByText('Saving to the vault…')).toBeVisible()
  }
  return restart()
}

async function restart(): Promise<Page> {
  await world.app.kill()
  world.keyring?.thaw()
  // A code of the vault is good once: nobody waits for the next one here.
  await world.service.clock.advance(75)
  const { page } = await world.startAgain()
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(page.getByRole('heading', { name: 'Two-factor authentication', exact: true })).toBeVisible()
  return page
}

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const codesOn = (page: Page) => page.getByRole('list', { name: 'New codes' }).getByRole('listitem')

/** What the notice says: new codes, verified by the vault's own. */
async function renewByVault(page: Page): Promise<void> {
  await notice(page, lost).getByRole('button', { name: 'Create new codes' }).click()
  await button(page, 'Continue').click()
  await button(page, 'Use stored code').click()
}

async function saveCodes(page: Page): Promise<void> {
  await button(page, 'Copy all').click()
  await button(page, 'Continue').click()
  await button(page, 'Close').click()
}
