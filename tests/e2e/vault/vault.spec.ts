import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { sealExport } from '#services/vault/export-file.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

/** The key of RFC 6238's test vectors. */
const key = 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
const backupCodes = ['ABCD-EFGH-2345', 'IJKL-MNOP-2345', 'QRST-UVWX-2345']

const run = promisify(execFile)

/** What an independent generator says the code is now. */
async function independentCode(): Promise<string> {
  const { stdout } = await run('oathtool', ['--totp', '--base32', key.replaceAll(' ', '')])
  return stdout.trim()
}

async function openVault(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'One-time passwords', exact: true })).toBeVisible()
}

async function addByKey(page: Page, service: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a one-time password' }).click()
  await page.getByLabel('Service', { exact: true }).fill(service)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(entry(page, service)).toBeVisible()
}

/** It asks first whether there is another way in. */
async function remove(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Remove ${name}`, exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove for good' })).toBeDisabled()
  await page.getByRole('checkbox', { name: /^I can sign in another way/ }).click()
  await page.getByRole('button', { name: 'Remove for good' }).click()
  // What lies behind a dialog cannot be found either.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(entry(page, name)).toHaveCount(0)
}

const entry = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const codeOf = (page: Page, name: string) => page.getByLabel(`Code of ${name}`, { exact: true })

async function expectRightCode(page: Page, name: string): Promise<void> {
  await expect
    .poll(
      async () => (await codeOf(page, name).textContent())?.replace(' ', '') === (await independentCode()),
    )
    .toBe(true)
}

test('codes are right, from a key, an address and a picture, without a network and after a restart', async ({
  world,
}) => {
  const { service } = world
  let { page } = world.app
  await openVault(page)

  await page.getByRole('button', { name: 'Add a one-time password' }).click()
  await page.getByLabel('Key', { exact: true }).fill('not a key')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Enter at least 16 letters A–Z and digits 2–7.')).toBeVisible()
  await expect(
    page.getByText('Enter the service or the account, so that you recognize this entry.'),
  ).toBeVisible()
  await expect(page.getByLabel('Service', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await addByKey(page, 'By key')
  await expectRightCode(page, 'By key')

  const picture = await test.step('its key is shown for a minute, and until it is closed', async () => {
    await page.getByRole('button', { name: 'Show the key of By key' }).click()
    await expect(page.getByLabel('Key', { exact: true })).toHaveText(key)
    const shot = await page.getByRole('img', { name: 'QR code of the key' }).screenshot()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText(key)).toHaveCount(0)
    return shot
  })

  await test.step('the picture of a QR code brings it back after it was removed', async () => {
    await remove(page, 'By key')
    await page.getByRole('button', { name: 'Add a one-time password' }).click()
    await page.getByRole('radio', { name: 'Choose a QR code image' }).click()
    const file = page.getByLabel('Image', { exact: true })
    await file.setInputFiles({ name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await expect(page.getByText(/Slipway can’t read this file as an image/)).toBeVisible()
    await file.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture })
    await expect(page.getByText('Found a QR code in code.png.')).toBeVisible()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expectRightCode(page, 'By key')
  })

  await page.getByRole('button', { name: 'Add a one-time password' }).click()
  await page.getByRole('radio', { name: 'Paste an address' }).click()
  await page
    .getByLabel('Address', { exact: true })
    .fill('otpauth://totp/Git:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Git&digits=8')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(codeOf(page, 'Git, ada')).toHaveText(/^\d{4} \d{4}$/)
  await page.getByRole('button', { name: 'Rename Git, ada' }).click()
  await page.getByLabel('Account', { exact: true }).fill('ada at work')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(entry(page, 'Git, ada at work')).toBeVisible()

  await world.app.close()
  await service.close()
  page = (await world.startAgain()).page
  await openVault(page)
  await expectRightCode(page, 'By key')
  await expect(codeOf(page, 'Git, ada at work')).toBeVisible()

  await remove(page, 'Git, ada at work')
})

test('what is hidden is not in the page any more; an export opens again; backup codes are kept, saved and printed; axe finds nothing', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const check = (where: string) =>
    test.step(where, async () => expect.soft(await findings(page), where).toEqual([]))
  await openVault(page)
  await check('empty')
  await addByKey(page, 'By key')

  await test.step('axe finds nothing in the dialogs', async () => {
    await check('with an entry')
    for (const name of ['Show the key of By key', 'Rename By key', 'Remove By key', 'Import', 'Export']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await check(name)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await page.getByRole('button', { name: 'Add a one-time password' }).click()
    for (const way of ['Enter a key', 'Paste an address', 'Choose a QR code image']) {
      await page.getByRole('radio', { name: way, exact: true }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await check(`add by ${way}`)
    }
    await page.keyboard.press('Escape')
  })

  await test.step('what is hidden', async () => {
    await expect(codeOf(page, 'By key')).toHaveText(/^\d{3} \d{3}$/)
    await page.getByRole('button', { name: 'Hide', exact: true }).click()
    await expect(page.getByText('Hidden.')).toBeVisible()
    await expect.poll(() => page.locator('body').innerHTML()).not.toMatch(/\b\d{3} \d{3}\b/)
    await page.getByRole('button', { name: 'Show codes' }).click()
    await expectRightCode(page, 'By key')
  })

  await test.step('an export opens again, here and with nothing else than its passphrase', async () => {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByLabel('Passphrase', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Choose file and export' }).click()
    await expect(page.getByText(/at least 12 characters/)).toBeVisible()
    await expect(page.getByText('The passphrases don’t match.')).toBeVisible()
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeFocused()
    await page.getByLabel('Passphrase', { exact: true }).fill('correct horse battery')
    await page.getByLabel('Repeat passphrase').fill('correct horse battery')
    await page.getByRole('button', { name: 'Choose file and export' }).click()
    await expect(page.getByText('Exported, and tested with your passphrase')).toBeVisible()
    const path =
      (await page.locator('p', { hasText: '1 one-time password in' }).locator('code').textContent()) ?? ''
    const text = await readFile(path, 'utf8')
    expect(text).not.toContain(key.replaceAll(' ', ''))
    await page.getByRole('button', { name: 'Close' }).last().click()

    await remove(page, 'By key')
    await expect(page.getByText('No one-time passwords yet')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0)

    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByLabel('File', { exact: true }).setInputFiles(path)
    await page.getByLabel('Passphrase', { exact: true }).fill('wrong horse battery')
    await page.getByRole('button', { name: 'Test export' }).click()
    await expect(page.getByText('the passphrase is wrong')).toBeVisible()
    await page.getByLabel('Passphrase', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Test export' }).click()
    await expect(page.getByText('The export works')).toBeVisible()
    await page.getByRole('button', { name: 'Import', exact: true }).last().click()
    await expect(page.getByText('1 added, 0 duplicates')).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await expectRightCode(page, 'By key')

    await test.step('a code that is used, from another machine, leaves its name readable', async () => {
      await page.getByRole('button', { name: 'Import' }).click()
      await page.getByLabel('Or paste the text').fill(await exportWithUsedCode(service.clock.now()))
      await page.getByLabel('Passphrase', { exact: true }).fill('correct horse battery')
      await page.getByRole('button', { name: 'Import', exact: true }).last().click()
      await expect(page.getByText('1 added, 0 duplicates')).toBeVisible()
      await page.getByRole('button', { name: 'Close' }).last().click()
      const used = entry(page, longName)
      await expect(used.getByText('Already used')).toBeVisible()
      for (const width of [1280, 1100, 960]) {
        await page.setViewportSize({ width, height: 720 })
        await expect
          .poll(() => used.getByText(longName).evaluate((name) => name.scrollWidth <= name.clientWidth))
          .toBe(true)
      }
    })
  })

  await test.step('backup codes are kept, shown, marked, saved and printed', async () => {
    await page.getByRole('button', { name: 'Add backup codes' }).click()
    await page.getByLabel('Codes', { exact: true }).fill('hello')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText(/Enter codes like/)).toBeVisible()
    await page.getByLabel('Codes', { exact: true }).fill(backupCodes.join('\n').toLowerCase())
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText('3 unused')).toBeVisible()
    await expect(page.getByText('Only on this computer', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'Show', exact: true }).click()
    for (const code of backupCodes) await expect(page.getByText(code)).toBeVisible()
    await check('backup codes')
    await page.getByRole('button', { name: 'Mark code 1 as used' }).click()
    await expect(page.getByRole('button', { name: 'Mark code 1 as unused' })).toBeVisible()

    await test.step('on paper are the unused ones, and only the user knows whether they came out', async () => {
      await page.evaluate(() => {
        window.print = () => {
          document.title = document.querySelector('.print-sheet')?.textContent ?? ''
        }
      })
      await page.getByRole('button', { name: 'Print' }).click()
      await expect(page).toHaveTitle(new RegExp(backupCodes[1] ?? ''))
      expect(await page.title()).not.toContain(backupCodes[0])
      await page.getByRole('button', { name: 'Mark as printed' }).click()
    })

    await page.getByRole('button', { name: 'Save to file' }).click()
    const note = page.getByText(/Saved to /)
    await expect(note).toBeVisible()
    const path = /Saved to (.+) in plain text/.exec((await note.textContent()) ?? '')?.[1] ?? ''
    const saved = await readFile(path, 'utf8')
    expect(saved).toContain(backupCodes[1])
    expect(saved).not.toContain(backupCodes[0])
    await page.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByText('2 unused · 1 used')).toBeVisible()
    await expect(page.getByText('Only on this computer', { exact: true })).toHaveCount(0)
    await expect.poll(() => page.locator('body').innerHTML()).not.toContain(backupCodes[1])
  })
})

const longName = 'Northern Lights rental'

/** An export of another machine, on which the code of now was given away; it is good for minutes yet. */
function exportWithUsedCode(nowMs: number): Promise<string> {
  const periods = Array.from({ length: 51 }, (_, more) => 250 + more)
  const leftMs = (period: number): number => period * 1000 - (nowMs % (period * 1000))
  const period = periods.reduce((best, other) => (leftMs(other) > leftMs(best) ? other : best))
  return sealExport(
    {
      entries: [
        {
          issuer: longName,
          label: '',
          parameters: { algorithm: 'sha1', digits: 6, period },
          secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          lastStep: Math.floor(nowMs / (period * 1000)),
          state: 'active',
          account: null,
          methodId: null,
        },
      ],
      backupSets: [],
    },
    { passphrase: 'correct horse battery', madeAtMs: 0, cost: 2 ** 15, randomBytes },
  )
}

test('a keychain that is locked: nothing is lost, and what is new may stay in memory', async ({ world }) => {
  const { app, keyring } = world
  const { page } = app
  await openVault(page)
  await addByKey(page, 'By key')
  await expect(codeOf(page, 'By key')).toBeVisible()
  await keyring?.lock()
  await page.getByRole('button', { name: 'Add a one-time password' }).click()
  await page.getByLabel('Service', { exact: true }).fill('New')
  await page.getByLabel('Key', { exact: true }).fill('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('The keychain is locked')).toBeVisible()
  await expect(page.getByLabel('Service', { exact: true })).toHaveValue('New')
  await page.getByRole('button', { name: 'Save until I quit' }).click()
  await expect(entry(page, 'New').getByText('In memory only')).toBeVisible()
  await keyring?.unlock()
  await page.getByRole('button', { name: 'Save New to keychain' }).click()
  await expect(entry(page, 'New').getByText('In memory only')).toHaveCount(0)
  await expectRightCode(page, 'By key')
})
