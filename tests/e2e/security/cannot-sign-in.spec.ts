import type { Page } from '@playwright/test'
import { filesBelow, secretsIn } from '../../support/leaks.ts'
import { findings } from '../support/axe.ts'
import { button, code, ownNumber, verifyBy } from '../support/security-actions.ts'
import { expect, test, testWithoutAccount } from '../support/world-test.ts'

test.use({ worldOptions: { service: { offers: 1 } } })

const title = (page: Page) => page.getByRole('heading', { name: 'I can’t sign in', level: 1 })
const secretField = (page: Page) => page.getByLabel('Challenge secret')

async function enter(page: Page, secret: string): Promise<void> {
  await secretField(page).fill(secret)
  await button(page, 'Continue').click()
  await expect(button(page, 'Verify')).toBeVisible()
}

/**
 * Whether a button can't be pressed when it comes and the page is at work no more. Seen by the page itself: it's off for
 * half a minute only, and on a busy machine the test may look later.
 */
function isDisabledOnceShown(page: Page, label: string): Promise<boolean> {
  return page.evaluate(
    (text) =>
      new Promise<boolean>((resolve) => {
        new MutationObserver(() => {
          const shown = [...document.querySelectorAll('button')].find(
            (one) => one.textContent.trim() === text,
          )
          if (shown && !document.querySelector('[role="radio"]:disabled')) resolve(shown.disabled)
        }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
      }),
    label,
  )
}

testWithoutAccount(
  'without an account: from the first run to a login that is complete, and what it is not',
  async ({ world }) => {
    const { service, app } = world
    const { page } = app
    const { key, twoFactor } = service.account('default', { twoFactorMethods: [{ method: 'totp' }] })
    const { tfa_secret: secret } = service.twoFactor.login(key)
    await page.getByRole('link', { name: 'I can’t sign in at the service' }).click()
    await expect(title(page)).toBeVisible()
    await button(page, 'Continue').click()
    await expect(page.getByText('Enter the challenge secret of your sign-in.')).toBeVisible()
    expect(await findings(page), 'empty').toEqual([])
    await page.getByLabel('Service address').fill(service.baseUrl)
    await enter(page, 'of-no-login')
    await button(page, 'Send code').click()
    await expect(page.getByRole('alert')).toContainText('Challenge secret not accepted')
    expect(await findings(page), 'refused').toEqual([])

    await button(page, 'Use another secret').click()
    await expect(page.getByLabel('Service address')).toHaveValue(service.baseUrl)
    await enter(page, secret)
    const mayNotSendAgain = isDisabledOnceShown(page, 'Send code again')
    await button(page, 'Send code').click()
    await expect(page.getByText('A code is on its way')).toBeVisible()
    expect(await mayNotSendAgain).toBe(true)
    await expect(code(page)).toBeFocused()
    await verifyBy(page, '000000')
    await expect(page.getByRole('alert')).toContainText('Code not accepted')
    await expect(code(page)).toHaveValue('000000')
    await page.getByRole('radio', { name: 'Backup code' }).check()
    await verifyBy(page, (twoFactor.backup_codes[0] ?? '').toLowerCase())
    await expect(page.getByRole('heading', { name: 'The service accepted your code' })).toBeVisible()
    await expect(page.getByText('9 backup codes left.')).toBeVisible()
    await expect(page.getByText('Slipway gets no session from this')).toBeVisible()
    expect(await findings(page), 'accepted').toEqual([])
    expect(await page.content()).not.toContain(secret)
    const kept = [app.logs(), ...(await filesBelow(world.userData))]
    expect(secretsIn(new Map([['challenge', secret]]), kept)).toEqual([])
    const sent = service.journal().filter(({ path }) => path.startsWith('/api/v0/tfa/'))
    expect(sent.map(({ path }) => path.replace('/api/v0/', ''))).toEqual([
      'tfa/email/',
      'tfa/email/',
      'tfa/',
      'tfa/',
    ])

    await page.getByRole('link', { name: 'Connect with an API key' }).click()
    await expect(page.getByRole('heading', { name: 'Connect your account' })).toBeVisible()
    await page.keyboard.press('Control+K')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type("can't sign")
    await page.keyboard.press('Enter')
    await expect(title(page)).toBeVisible()
    await expect(secretField(page)).toHaveValue('')
  },
)

test('with an account: nothing is sent twice unless that is meant, a secret is forgotten, and what may be done isn’t denied', async ({
  world,
}) => {
  const { service } = world
  const { page } = world.app

  await test.step('a text message whose reply was lost is sent again only when that is meant', async () => {
    const { key } = service.account('default', {
      twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: ownNumber }],
    })
    await page.evaluate(() => (location.hash = '/account'))
    await page.getByRole('link', { name: 'I can’t sign in' }).click()
    await expect(page.getByLabel('Service address')).toHaveValue(service.baseUrl)
    await page.setViewportSize({ width: 960, height: 600 })
    await enter(page, service.twoFactor.login(key).tfa_secret)
    await page.getByRole('radio', { name: 'Text message' }).check()
    await page.getByLabel('Method ID').fill('first')
    await button(page, 'Send code').click()
    await expect(page.getByText('Enter the ID as a number.')).toBeVisible()
    await page.getByLabel('Method ID').fill('')
    await page.getByLabel('Phone number').fill('555')
    await button(page, 'Send code').click()
    await expect(page.getByText('Start with the country code')).toBeVisible()
    await page.getByLabel('Phone number').fill(ownNumber)
    const before = service.twoFactor.outbox().length
    service.faults.add({ path: '/api/v0/tfa/sms/', kind: 'reset-after' })
    await button(page, 'Send code').click()
    await expect(page.getByText('A code may be on its way by text message')).toBeVisible()
    await expect(page.getByLabel('Phone number')).toHaveValue(ownNumber)
    expect(service.twoFactor.outbox()).toHaveLength(before + 1)
    expect(await findings(page), 'lost').toEqual([])
    await button(page, 'Send code').click()
    await expect(page.getByText('A code was already sent')).toBeVisible()
    expect(service.twoFactor.outbox()).toHaveLength(before + 1)
    await verifyBy(page, service.twoFactor.outbox().at(-1)?.code ?? '')
    await expect(page.getByText('is complete')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the account' }).click()
    await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 713 })
  })

  await test.step('a page that is loaded anew has forgotten the secret', async () => {
    const { key } = service.account('default', { twoFactorMethods: [{ method: 'totp' }] })
    await page.evaluate(() => (location.hash = '/cannot-sign-in'))
    await enter(page, service.twoFactor.login(key).tfa_secret)
    await page.reload()
    await expect(title(page)).toBeVisible()
    await expect(secretField(page)).toHaveValue('')
    await expect(button(page, 'Verify')).toBeHidden()
  })

  await test.step('after a code whose reply was lost, no refusal says that the login isn’t complete', async () => {
    const { key, twoFactor } = service.account('default', { twoFactorMethods: [{ method: 'totp' }] })
    await enter(page, service.twoFactor.login(key).tfa_secret)
    await page.getByRole('radio', { name: 'Backup code' }).check()
    service.faults.add({ path: '/api/v0/tfa/', kind: 'reset-after' })
    await verifyBy(page, twoFactor.backup_codes[0] ?? '')
    await expect(page.getByText('The sign-in may be complete and the code used')).toBeVisible()
    for (const [error, title] of [
      ['invalid_backup_code', 'Backup code is wrong or already used'],
      ['2fa_login_failed', 'Code not accepted'],
      ['2fa_expired', 'Challenge expired'],
      ['challenge_not_found', 'Challenge secret not accepted'],
    ] as const) {
      service.faults.add({ kind: 'refused', path: '/api/v0/tfa/', error, status: 400 })
      await button(page, 'Verify again').click()
      const refused = page.getByRole('alert').filter({ hasText: title })
      await expect(refused).toContainText('Check whether you’re signed in at the service')
      await expect(refused).not.toContainText(
        /isn’t complete|aren’t signed in|Nothing was changed|next code of/,
      )
    }
    expect(await findings(page), 'refused after a loss').toEqual([])
  })
})
