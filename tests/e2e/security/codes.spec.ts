import { expect, test } from '@playwright/test'
import { twoFactorCode } from '#domain/base/two-factor-codes.ts'
import { codeMeanings } from '#domain/two-factor/code-meanings.ts'
import { inOneApp } from '../support/one-app.ts'
import { openSecurity } from '../support/security-actions.ts'
import { causes } from '../support/security-causes.ts'
import { refusedCauses } from '../support/security-refused-causes.ts'
import { accountOf, both } from '../support/security-scene.ts'
import { adoptChallenge, smsCauses } from '../support/security-sms-causes.ts'

const told = [...causes, ...smsCauses, ...refusedCauses]

test('every code has its cause here', () => {
  const all = [...told.map(({ code }) => code), 'tfa_challenge_exists']
  expect(all.toSorted()).toEqual(twoFactorCode.options.toSorted())
})

test.describe('in one app, with an account and a window for each code', () => {
  const app = inOneApp()
  test.afterEach(() => {
    const { twoFactor } = app.service
    twoFactor.setCarrier('up')
    for (const store of ['authorizations', 'authorization-challenges'] as const)
      twoFactor.setStore(store, 'up')
  })

  for (const cause of told)
    test(`${cause.code}: said in three parts, with a way on, and what was typed stays`, async () => {
      const { page, service } = app
      const owner = await openSecurity(page, service, ...accountOf(cause))
      const scene = { page, service, owner }
      await cause.prepare(scene)
      await expect(page.getByText(/…$/)).toHaveCount(0)
      owner.requests()
      await cause.act(scene)
      const { title, meaning, nextStep } = codeMeanings[cause.code]
      const notice = page.getByRole('alert').filter({ hasText: title })
      await expect(notice).toBeVisible()
      await expect(notice).toContainText(meaning)
      await expect(notice).toContainText(nextStep)
      const asked: string[] = []
      await expect
        .poll(() => {
          asked.push(...owner.requests())
          return asked
        })
        .toEqual(cause.requests)
      await expect(page.getByRole('button', { name: cause.next, exact: true }).first()).toBeEnabled()
      if (cause.kept) await expect(page.getByLabel(cause.kept[0], { exact: true })).toHaveValue(cause.kept[1])
      if (cause.shows) await expect(page.getByText(cause.shows).first()).toBeVisible()
    })

  test('tfa_challenge_exists: the code under way is adopted, and sent once more', async () => {
    const { page, service } = app
    const owner = await openSecurity(page, service, ...both)
    expect(await adoptChallenge({ page, service, owner })).toEqual([
      'POST tfa/sms/',
      'POST tfa/sms/resend/',
      'POST tfa/',
    ])
  })
})
