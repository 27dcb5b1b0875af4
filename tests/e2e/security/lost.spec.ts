import { expect, test, type Page } from '@playwright/test'
import { findings } from '../support/axe.ts'
import { inOneApp } from '../support/one-app.ts'
import {
  askAgain,
  beginFirstTotp,
  button,
  declineCodes,
  enrollTotp,
  freshTotp,
  methods,
  openSecurity,
  totpSecret,
  verifyBy,
} from '../support/security-actions.ts'
import { both, byTotp, logIn, logInBySms, renewCodes } from '../support/security-scene.ts'

/** Replies that never come: nothing is sent a second time, and the account says what became of it. */

const app = inOneApp()

test('confirm-new, lost before and after the work', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service)
  await beginFirstTotp(page, owner)
  owner.requests()
  const lost = notice(page, 'No reply when adding the method')
  lose('reset-before', 'confirm-new/')
  await enrollTotp(page, service)
  await expect(lost).toContainText('Start over')
  expect(owner.requests()).toEqual(['POST tfa/confirm-new/'])

  lose('reset-after', 'confirm-new/')
  await button(page, 'Set up an authenticator app').click()
  await enrollTotp(page, service)
  await expect(lost).toContainText('Create new backup codes now')
  expect(owner.requests()).toEqual(['POST tfa/totp-setup/', 'POST tfa/confirm-new/'])
  await service.clock.advance(75)
  await askAgain(page)
  await button(page, 'Create new backup codes').click()
  await button(page, 'Continue').click()
  await button(page, 'Use stored code').click()
  await declineCodes(page)
  await button(page, 'Close').click()
  await expect(methods(page)).toContainText('In your vault')
  await expect(page.getByText('never arrived')).toHaveCount(0)
})

test('new codes, lost before and after the work', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service, ...both)
  await owner.elsewhere('POST', '', { backup_code: owner.twoFactor.backup_codes[0] })
  await button(page, 'Refresh 2FA status').click()
  await expect(page.getByText('9 of 10 left')).toBeVisible()
  const scene = { page, service, owner }
  await renewCodes(scene)
  owner.requests()
  const lost = notice(page, 'No reply when creating backup codes')
  for (const [kind, left] of [
    ['reset-before', 'the old codes still work'],
    ['reset-after', 'The old codes no longer work'],
  ] as const) {
    lose(kind, 'regen-backup-codes/')
    await byTotp(scene)
    await expect(lost).toContainText(left)
    expect(owner.requests()).toEqual(['PUT tfa/regen-backup-codes/'])
    await button(page, 'Create new backup codes').click()
    await button(page, 'Continue').click()
  }
  await byTotp(scene)
  await declineCodes(page)
  await button(page, 'Close').click()
  await expect(page.getByText(/^Your backup codes (may )?no longer work$/)).toHaveCount(0)
})

test('a removal, lost before and after the work', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service, ...both)
  const scene = { page, service, owner }
  await methods(page).filter({ hasText: 'Phone' }).getByRole('button', { name: 'Remove' }).click()
  await button(page, 'Continue').click()
  owner.requests()
  lose('reset-before', '')
  await byTotp(scene)
  await expect(notice(page, 'The connection to the service dropped')).toBeVisible()
  await expect(methods(page)).toHaveCount(2)
  lose('reset-after', '')
  await byTotp(scene)
  await expect(page.getByText('Method removed', { exact: true })).toBeVisible()
  expect(owner.requests()).toEqual(['DELETE tfa/', 'DELETE tfa/'])
  await expect(methods(page)).toHaveCount(1)
})

test('a login, lost before and after the work: the code is not sent again', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service, ...both)
  await logIn({ page, service, owner })
  for (const kind of ['reset-before', 'reset-after'] as const) {
    lose(kind, '')
    const typed = await freshTotp(service, totpSecret(owner))
    await verifyBy(page, typed)
    // The notice of the first one may still be there: it's the request that tells.
    const asked: string[] = []
    await expect.poll(() => asked.push(...owner.requests())).toBe(1)
    await expect(button(page, 'Verify')).toBeEnabled()
    await expect(notice(page, 'The connection to the service dropped')).toBeVisible()
    await expect(page.getByLabel('Code', { exact: true })).toHaveValue(typed)
    expect([...asked, ...owner.requests()]).toEqual(['POST tfa/'])
  }
})

test('another primary and another label, lost before and after the work', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service, ...both)
  const phone = methods(page).filter({ hasText: 'Phone' })
  const makePrimary = phone.getByRole('button', { name: 'Make primary' })
  lose('reset-before', 'update/')
  await makePrimary.click()
  await expect(page.getByText('The connection to the service dropped').first()).toBeVisible()
  await expect(methods(page).first()).not.toContainText('Phone')
  lose('reset-after', 'update/')
  await makePrimary.click()
  await expect(methods(page).first()).toContainText('Phone')

  lose('reset-before', 'update/')
  await phone.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Label').fill('Pocket')
  await button(page, 'Save').click()
  await expect(page.getByRole('dialog').getByText('The connection to the service dropped')).toBeVisible()
  await expect(page.getByLabel('Label')).toHaveValue('Pocket')
  lose('reset-after', 'update/')
  await button(page, 'Save').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(methods(page).first()).toContainText('Pocket')
  expect(owner.requests()).toEqual(Array<string>(4).fill('PUT tfa/update/'))
})

test('a login by a text message, lost: its code is sent again only when that is chosen', async () => {
  const { page, service } = app
  const owner = await openSecurity(page, service, ...both)
  await logInBySms({ page, service, owner })
  await button(page, 'Send code').click()
  await expect(page.getByText('A code is on its way')).toBeVisible()
  lose('reset-before', '')
  owner.requests()
  await verifyBy(page, owner.lastCode('sms'))
  await expect(notice(page, 'The connection to the service dropped')).toBeVisible()
  await button(page, 'Verify').click()
  await expect(notice(page, 'This code may already be used')).toBeVisible()
  expect(owner.requests()).toEqual(['POST tfa/'])
  expect.soft(await findings(page)).toEqual([])
  await button(page, 'Send anyway').click()
  await expect(button(page, 'End session')).toBeVisible()
  expect(owner.requests()).toContain('POST tfa/')
})

function lose(kind: 'reset-before' | 'reset-after', path: string): void {
  app.service.faults.add({ kind, path: `/api/v0/tfa/${path}` })
}

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
