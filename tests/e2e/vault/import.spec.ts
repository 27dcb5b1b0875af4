import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import encodeQR from 'qr'
import {
  aegisEntry,
  bitwardenLogin,
  migrationLink,
  plainBitwarden,
  sealAegis,
  sealBitwarden,
} from '../../support/vault/authenticator-exports.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

/** The secret of RFC 6238's test vectors. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const password = 'correct horse battery'

const run = promisify(execFile)

/** What an independent generator says the code is now. */
async function independentCode(digits: number, algorithm: string): Promise<string> {
  const { stdout } = await run('oathtool', [`--totp=${algorithm}`, `--digits=${digits}`, '--base32', secret])
  return stdout.trim()
}

async function expectRightCode(page: Page, name: string, digits = 6, algorithm = 'sha1'): Promise<void> {
  const code = page.getByLabel(`Code of ${name}`, { exact: true })
  await expect
    .poll(
      async () => (await code.textContent())?.replace(' ', '') === (await independentCode(digits, algorithm)),
    )
    .toBe(true)
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Import into the vault' })

async function openImport(page: Page) {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = dialogOf(page)
  await expect(dialog).toBeVisible()
  return dialog
}

const importAll = (page: Page) => dialogOf(page).getByRole('button', { name: 'Import', exact: true }).click()
const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(text),
})
const qrCode = (name: string, text: string) => ({
  name,
  mimeType: 'image/gif',
  buffer: Buffer.from(encodeQR(text, 'gif', { scale: 6, border: 4 })),
})

const aegis = sealAegis(
  [
    aegisEntry('ada', 'Git', secret),
    aegisEntry('bob', 'Mail', secret, { info: { algo: 'SHA256', digits: 8 } }),
    aegisEntry('carol', 'Bank', secret, { type: 'hotp', info: { counter: 7 } }),
    aegisEntry('dave', 'Games', secret, { type: 'steam', info: { digits: 5 } }),
  ],
  password,
)

test('one-time passwords come from other authenticators, encrypted or as pictures, and what is left out is named', async ({
  world,
}) => {
  const { page } = world.app
  const check = (where: string) =>
    test.step(where, async () => expect.soft(await findings(page), where).toEqual([]))
  await page.getByRole('link', { name: 'Security', exact: true }).click()

  await test.step('an encrypted file of Aegis, with a wrong password and the right one', async () => {
    const dialog = await openImport(page)
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file('aegis.json', aegis))
    await expect(dialog.getByText('This is an Aegis export.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Test export' })).toHaveCount(0)
    const field = dialog.getByLabel('Aegis password', { exact: true })
    await field.fill('wrong horse battery')
    await importAll(page)
    await expect(dialog.getByText(/the password is wrong, or the file was changed/)).toBeVisible()
    await check('a wrong password')
    // What was entered stays.
    await expect(field).toHaveValue('wrong horse battery')
    await expect(dialog.getByLabel('Or paste the text')).toHaveValue(aegis)
    await field.fill(password)
    await importAll(page)

    await expect(dialog.getByText('2 added, 0 duplicates')).toBeVisible()
    await expect(dialog.getByText('Imported from an Aegis export.')).toBeVisible()
    const notAdded = dialog.getByRole('definition')
    await expect(notAdded).toHaveText(['Bank: carol', 'Games: dave'])
    await check('a report')
    await expect.poll(() => page.locator('body').innerHTML()).not.toContain(secret)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expectRightCode(page, 'Git, ada')
    await expectRightCode(page, 'Mail, bob', 8, 'sha256')
  })

  await test.step('pictures of Google Authenticator’s QR codes, of which one is missing at first', async () => {
    const parts = ['first', 'second', 'third'].map((name, index) =>
      migrationLink([{ secret: Buffer.from(`${name} of three secrets`), name, issuer: 'Google' }], {
        size: 3,
        index,
      }),
    )
    const pictures = parts.map((link, index) => qrCode(`${index + 1}.gif`, link))
    let dialog = await openImport(page)
    const noCode = { name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await dialog.getByLabel('File', { exact: true }).setInputFiles(noCode)
    await expect(dialog.getByText(/note\.png: Slipway can’t read this file as an image/)).toBeVisible()
    const alone = [...pictures, file('aegis.json', aegis)]
    await dialog.getByLabel('File', { exact: true }).setInputFiles(alone)
    await expect(dialog.getByText(/^Import these one at a time: aegis\.json\./)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
    const damaged = qrCode('damaged.gif', parts[1]?.slice(0, -9) ?? '')
    const chosen = [pictures[0], damaged, pictures[2]].filter((picture) => picture !== undefined)
    await dialog.getByLabel('File', { exact: true }).setInputFiles(chosen)
    await expect(dialog.getByText('This is a Google Authenticator export.')).toBeVisible()
    await importAll(page)
    await expect(dialog.getByText('2 added, 0 duplicates')).toBeVisible()
    await expect(dialog.getByRole('definition')).toHaveText(['damaged.gif'])
    await expect(
      dialog.getByText('Not in this import: QR code 2 of 3. Import it, too, if you haven’t.'),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    dialog = await openImport(page)
    await dialog.getByLabel('File', { exact: true }).setInputFiles(pictures)
    await importAll(page)
    await expect(dialog.getByText('1 added, 2 duplicates')).toBeVisible()
    await expect(dialog.getByText('Google: first; Google: third')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    for (const name of ['first', 'second', 'third'])
      await expect(page.getByLabel(`Code of Google, ${name}`, { exact: true })).toHaveText(/^\d{3} \d{3}$/)
  })

  await test.step('a large file of Bitwarden gives its codes and nothing else', async () => {
    const items = Array.from({ length: 600 }, (_, number) => bitwardenLogin(`Login ${number}`, null))
    const plain = plainBitwarden([
      ...items,
      bitwardenLogin('Shop', `otpauth://totp/eve?secret=${secret}&digits=7`),
    ])
    const dialog = await openImport(page)
    const field = dialog.getByLabel('File', { exact: true })
    const choose = () => field.setInputFiles(file('bitwarden.json', sealBitwarden(plain, password)))
    await choose()
    await expect(dialog.getByText(/characters from the file/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Clear text' }).click()
    await expect(field).toHaveValue('')
    await expect(dialog.getByLabel('Or paste the text')).toHaveValue('')
    await choose()
    await expect(dialog.getByText(/characters from the file/)).toBeVisible()
    await dialog.getByLabel('Bitwarden export password', { exact: true }).fill(password)
    await importAll(page)
    await expect(dialog.getByText('1 added, 0 duplicates')).toBeVisible()
    await expect(dialog.getByText('600 without a one-time password')).toBeVisible()
    await expect(dialog.getByText(/Login \d/)).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expectRightCode(page, 'Shop, eve', 7)
  })

  await test.step('what cannot be imported is refused with what to do', async () => {
    const dialog = await openImport(page)
    const paste = dialog.getByLabel('Or paste the text')
    const refusals: readonly (readonly [text: string, words: RegExp])[] = [
      ['hello', /It imports its own exports, those of Google Authenticator, Aegis, 2FAS, and Bitwarden/],
      [sealBitwarden('', 'p', { passwordProtected: undefined }), /Only the Bitwarden account that made/],
      [sealBitwarden('', 'p', { kdfType: 1 }), /set the KDF algorithm to PBKDF2/],
    ]
    for (const [text, words] of refusals) {
      await paste.fill(text)
      await importAll(page)
      await expect(dialog.getByText(words)).toBeVisible()
      await expect(paste).toHaveValue(text)
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('an export isn’t added as one address', async () => {
    await page.getByRole('button', { name: 'Add a one-time password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a one-time password' })
    await dialog.getByRole('radio', { name: 'Paste an address' }).click()
    const link = migrationLink([{ secret: Buffer.from('one of many secrets'), name: 'one' }])
    await dialog.getByLabel('Address', { exact: true }).fill(link)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByText('This is an export. Use Import.')).toBeVisible()
  })
})
