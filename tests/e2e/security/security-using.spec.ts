import { findings } from '../support/axe.ts'
import {
  button,
  chooseBackupCode,
  code,
  declineCodes,
  enrollTotp,
  freshTotp,
  methods,
  openSecurity,
  ownNumber,
  panel,
  totpSecret,
  verifyBy,
  verifyBySent,
} from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test('log in by each way, and end the session', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  const owner = await openSecurity(page, service, 'default', {
    tfaMethods: [{ method: 'totp' }, { method: 'sms', phone_number: ownNumber, label: 'Phone' }],
  })
  const choose = (name: RegExp) => page.getByRole('radio', { name }).check()
  const ways: readonly (readonly [name: string, verify: () => Promise<void>])[] = [
    ['authenticator', async () => verifyBy(page, await freshTotp(service, totpSecret(owner)))],
    ['SMS', () => choose(/Phone/).then(() => verifyBySent(page, owner, 'sms'))],
    ['e-mail', () => choose(/E-mail/).then(() => verifyBySent(page, owner, 'email'))],
    [
      'backup code',
      async () => {
        await chooseBackupCode(page)
        await verifyBy(page, (owner.tfa.backup_codes[0] ?? '').toLowerCase())
      },
    ],
  ]
  for (const [name, verify] of ways) {
    await button(page, 'Log in').click()
    await verify()
    await expect(page.getByText('You are logged in'), name).toBeVisible()
    if (name === 'backup code') await expect(page.getByText('9 backup codes are left')).toBeVisible()
    await button(page, 'Close').click()
    await button(page, 'End session').click()
    await expect(button(page, 'Log in')).toBeVisible()
  }
  const logins = service.journal().filter(({ method, path }) => method === 'POST' && path === '/api/v0/tfa/')
  expect(logins).toHaveLength(ways.length)
})

test('a method says how often it failed, and when it opens again', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  const owner = await openSecurity(page, service, 'default', { tfaMethods: [{ method: 'totp' }] })
  const [method] = owner.tfa.methods
  const fail = (): Promise<unknown> =>
    owner.elsewhere('PUT', 'regen-backup-codes/', {
      tfa_method: 'totp',
      tfa_method_id: method?.id,
      code: '000000',
    })
  await fail()
  await fail()
  await button(page, 'Ask the service again').click()
  await expect(methods(page)).toContainText('2 failed attempts so far')
  for (let more = 0; more < 3; more += 1) await fail()
  await button(page, 'Ask the service again').click()
  await expect(methods(page)).toContainText(/Locked.*after 5 failed attempts; opens in (15:00|14:\d\d)/s)
  await service.clock.advance(15 * 60)
  await button(page, 'Ask the service again').click()
  await expect(methods(page)).not.toContainText('Locked')
})

test('a method is removed; the last one only with the words', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  const owner = await openSecurity(page, service, 'default', {
    tfaMethods: [{ method: 'totp' }, { method: 'sms', phone_number: ownNumber, label: 'Phone' }],
  })
  const phone = methods(page).filter({ hasText: 'Phone' })
  await phone.getByRole('button', { name: 'Remove' }).click()
  await panel(page, 'Remove Phone').getByRole('button', { name: 'Continue' }).click()
  await verifyBy(page, await freshTotp(service, totpSecret(owner)))
  await expect(page.getByText('The method is removed', { exact: true })).toBeVisible()
  await button(page, 'Close').click()
  await expect(methods(page)).toHaveCount(1)

  await button(page, 'Remove').click()
  const words = page.getByLabel('Type “turn off”')
  await expect(words).toBeFocused()
  expect(await findings(page), 'removing the last').toEqual([])
  await expect(button(page, 'Continue')).toBeDisabled()
  await words.fill('turn off')
  await button(page, 'Continue').click()
  await page.getByRole('radio', { name: /E-mail/ }).check()
  await verifyBySent(page, owner, 'email')
  await expect(page.getByText('Two-factor authentication is off')).toBeVisible()
  await button(page, 'Close').click()
  await expect(button(page, 'Set up two-factor authentication')).toBeVisible()
})

test('new backup codes: the warning, the verification, the codes, which are saved once', async ({
  world,
}) => {
  const { service } = world
  const { page } = world.app
  const owner = await openSecurity(page, service, 'default', { tfaMethods: [{ method: 'totp' }] })
  await button(page, 'New backup codes').click()
  await expect(page.getByText('All old ones become void')).toBeVisible()
  await button(page, 'Continue').click()
  await verifyBy(page, await freshTotp(service, totpSecret(owner)))
  const codes = page.getByRole('list', { name: 'New codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  // Neither a click beside it nor Escape nor a reload takes them away.
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(codes).toHaveCount(10)
  await button(page, 'Copy all').click()
  await button(page, 'Continue').click()
  await expect(page.getByText('You have new backup codes')).toBeVisible()
})

test('an account of the old kind is upgraded', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  const owner = await openSecurity(page, service, 'legacy')
  await expect(page.getByText('On, of the old kind')).toBeVisible()
  await button(page, 'Upgrade').click()
  await button(page, 'Continue').click()
  await verifyBySent(page, owner, 'sms')
  await declineCodes(page)
  await expect(page.getByText('Your account is upgraded')).toBeVisible()
  await button(page, 'Close').click()
  await expect(methods(page)).toHaveCount(1)
  expect(owner.requests().filter((each) => /test|\/resend\/$/.test(each))).toEqual([])
})

test('a team’s key is refused, in words, and the vault works', async ({ world }) => {
  const { page } = world.app
  await openSecurity(page, world.service, 'team')
  await expect(page.getByText('Two-factor authentication is not for teams')).toBeVisible()
  await expect(button(page, 'Set up two-factor authentication')).toHaveCount(0)
  await expect(button(page, 'Add a one-time password')).toBeVisible()
  expect(await findings(page)).toEqual([])
})

test('without the service the last known state stays, with its age', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  await openSecurity(page, service, 'default', { tfaMethods: [{ method: 'totp' }] })
  await expect(methods(page)).toHaveCount(1)
  await service.close()
  await button(page, 'Ask the service again').click()
  await expect(page.getByText('The service does not accept connections').first()).toBeVisible()
  await expect(methods(page)).toHaveCount(1)
  await expect(page.getByText(/As it was/)).toBeVisible()
})

test('the first method by keyboard alone', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  const owner = await openSecurity(page, service)
  const press = (key: string) => page.keyboard.press(key)
  await button(page, 'Set up two-factor authentication').focus()
  await press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  while (!(await button(page, 'Authenticator app').evaluate((it) => it === document.activeElement)))
    await press('Tab')
  await press('Enter')
  await expect(button(page, 'Send code')).toBeFocused()
  await press('Enter')
  await expect(code(page)).toBeFocused()
  await expect(page.getByText('A code is on its way')).toBeVisible()
  await page.keyboard.type(owner.lastCode('email'))
  await press('Enter')
  await expect(page.getByLabel('Key', { exact: true })).toBeVisible()
  await expect(code(page)).toBeFocused()
  await enrollTotp(page, service)
  await expect(button(page, 'Copy all')).toBeVisible()
  // What is saved first is what the keyboard is at.
  await expect(panel(page, 'Set up an authenticator app')).toBeFocused()
  for (let tab = 0; tab < 3; tab += 1) await press('Tab')
  await expect(button(page, 'Copy all')).toBeFocused()
  await press('Enter')
  await expect(button(page, 'Continue')).toBeFocused()
  await press('Enter')
  await expect(button(page, 'Close')).toBeFocused()
  await press('Enter')
  await expect(methods(page)).toHaveCount(1)
})
