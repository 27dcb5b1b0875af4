import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyboardOf } from '../support/keyboard.ts'
import { button } from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test('the vault by keyboard alone: one-time passwords and backup codes, from adding to removing', async ({
  world,
}) => {
  const { app } = world
  const { page } = app
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  const { press, tabTo, go, type } = keyboardOf(page)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const row = (what: string) => page.getByRole('button', { name: what, exact: true })
  const dialog = page.getByRole('dialog')
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })

  await test.step('a one-time password: add, reveal, hide, rename, export, import, remove', async () => {
    await button(page, 'Add a one-time password').focus()
    await press('Enter')
    await type(field('Service'), 'Git')
    await type(field('Key'), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    await press('Enter')
    await expect(dialog).toHaveCount(0)
    // The button of the empty list is gone; the keyboard is where the entry is.
    await expect(button(page, 'Add a one-time password')).toBeFocused()

    await go(row('Copy the code of Git'))
    await expect(page.getByText('The clipboard is cleared in')).toBeVisible()
    await expect(row('Copy the code of Git')).toBeFocused()
    // Real Electron's clipboard is the computer's own, where no spec reads.
    if (app.host === 'chromium')
      expect(JSON.parse(readFileSync(join(world.userData, 'clipboard-formats.json'), 'utf8'))).toEqual({
        'x-kde-passwordManagerHint': 'secret',
      })

    await go(row('Show the key of Git'))
    await expect(page.getByLabel('Key', { exact: true })).toBeVisible()
    await press('Escape')
    await expect(row('Show the key of Git')).toBeFocused()

    await go(row('Rename Git'))
    await type(field('Account'), 'ada')
    await press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(row('Rename Git, ada')).toBeFocused()

    await button(page, 'Hide').focus()
    await press('Enter')
    await expect(button(page, 'Add a one-time password')).toBeFocused()
    await go(button(page, 'Show codes'))
    await expect(row('Copy the code of Git, ada')).toBeFocused()

    await button(page, 'Export').focus()
    await press('Enter')
    await type(field('Passphrase'), 'correct horse battery')
    await type(field('Repeat passphrase'), 'correct horse battery')
    await press('Enter')
    await expect(page.getByText('Exported, and tested with your passphrase')).toBeVisible()
    await press('Escape')
    await expect(button(page, 'Export')).toBeFocused()

    await go(row('Remove Git, ada'))
    await tabTo(page.getByRole('checkbox', { name: /^I can sign in another way/ }))
    await press('Space')
    await go(button(page, 'Remove for good'))
    await expect(page.getByText('No one-time passwords yet')).toBeVisible()
    await expect(button(page, 'Add a one-time password')).toBeFocused()

    await button(page, 'Import').focus()
    await press('Enter')
    await type(
      field('Or paste the text'),
      'otpauth://totp/Git:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Git',
    )
    await go(dialog.getByRole('button', { name: 'Import', exact: true }))
    await expect(page.getByText('1 added, 0 duplicates')).toBeVisible()
    await press('Escape')
    await expect(button(page, 'Import')).toBeFocused()
  })

  await test.step('backup codes: add, show, mark, copy, remove', async () => {
    await go(button(page, 'Add backup codes'))
    await type(page.getByLabel('Codes', { exact: true }), 'ABCD-EFGH-2345 IJKL-MNOP-2345')
    await go(inDialog('Add'))
    await expect(page.getByText('2 unused')).toBeVisible()
    await expect(button(page, 'Add backup codes')).toBeFocused()

    await go(button(page, 'Show'))
    await expect(dialog.getByText('ABCD-EFGH-2345')).toBeVisible()
    await go(inDialog('Mark code 1 as used'))
    await expect(inDialog('Mark code 1 as unused')).toBeFocused()
    await go(inDialog('Copy code 2'))
    await expect(dialog.getByRole('status')).toHaveText('Code 2 copied.')
    await expect(inDialog('Copy code 2')).toBeFocused()
    await go(inDialog('Copy all'))
    await expect(dialog.getByRole('status')).toHaveText('All unused codes copied.')
    await expect(dialog.getByText('The clipboard is cleared in')).toBeVisible()
    await expect(inDialog('Copy all')).toBeFocused()
    await press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(button(page, 'Show')).toBeFocused()
    await expect(page.getByText('The clipboard is cleared in')).toBeVisible()
    await expect(page.getByText('1 unused · 1 used')).toBeVisible()

    await go(page.getByRole('button', { name: /^Remove the backup codes of/ }))
    await tabTo(page.getByRole('checkbox', { name: /^I have these codes elsewhere/ }))
    await press('Space')
    await go(button(page, 'Remove for good'))
    await expect(page.getByText('No backup codes in the vault')).toBeVisible()
    await expect(button(page, 'Add backup codes')).toBeFocused()
  })
})
