import type { Page } from '@playwright/test'
import { startSimulator } from '../../simulator/simulator.ts'
import { filesBelow, secretsIn } from '../../support/leaks.ts'
import { addAccount, connect } from '../support/actions.ts'
import { keychainEntries } from '../support/keychain-entries.ts'
import { textsInMemory } from '../support/page-memory.ts'
import {
  beginFirstTotp,
  button,
  code,
  enrollTotp,
  freshTotp,
  openSecurity,
  totp,
  verifyBy,
  verifyBySent,
} from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none' })

/** As they stand in a text, with the spaces that are put in for reading taken out. */
const squeezed = (text: string): string => text.replaceAll(/\s/g, '')
const typedKey = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const typedPassphrase = 'canary-passphrase'

/** Which secrets are in the page: its memory, its elements with what is typed in them, its address and storage. */
async function foundInPage(page: Page, secrets: readonly string[]): Promise<string[]> {
  const visible = await page.evaluate(() => [
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input, textarea')].map(
      (field) => Reflect.get(field, 'value') as string,
    ),
    location.href,
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  ])
  const texts = [...(await textsInMemory(page)), ...visible].map(squeezed)
  return foundIn(texts, secrets)
}

function foundIn(texts: readonly string[], secrets: readonly string[]): string[] {
  return secrets.filter((secret) => texts.some((text) => text.includes(squeezed(secret))))
}

/** What was on the screen a moment ago, the page's own calls and transitions may hold for a moment more. */
async function expectGone(page: Page, secrets: readonly string[]): Promise<void> {
  await expect.poll(() => foundInPage(page, secrets), { timeout: 90_000 }).toEqual([])
}

/** The search finds what is there, each of them in the heap itself and not only in the page's text. */
async function expectInHeap(page: Page, secrets: readonly string[]): Promise<void> {
  const inHeap = async () => foundIn((await textsInMemory(page)).map(squeezed), secrets)
  await expect.poll(inHeap, { timeout: 90_000 }).toEqual(secrets)
}

test('what was secret is nowhere once it is hidden: not in the page’s memory, on the disk, in the log', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  const owner = await openSecurity(page, service)
  const secrets: string[] = [owner.key]

  const picture = page.getByRole('img', { name: /^QR code/ })
  const key = page.getByLabel('Key', { exact: true })
  const secret = await test.step('a new secret, when the screen is locked', async () => {
    await button(page, 'Set up two-factor authentication').click()
    await button(page, 'Authenticator app').click()
    await verifyBySent(page, owner, 'email')
    const shown = squeezed(await key.innerText())
    await expect(picture).toHaveAttribute('src', /^.{900}/)
    // Before character 1,024, at which heap snapshots cut texts.
    const drawn = ((await picture.getAttribute('src')) ?? '').slice(800, 880)
    secrets.push(shown, drawn)
    await expectInHeap(page, [shown, drawn])
    await app.power('lock-screen')
    await expect(button(page, 'Show secret')).toBeVisible()
    await expect(page.getByText('Hidden because the screen was locked.')).toHaveCount(2)
    await expectGone(page, secrets)
    await app.power('unlock-screen')
    await button(page, 'Show secret').click()
    return shown
  })

  await test.step('new backup codes, when nobody is there', async () => {
    await verifyBy(page, totp(service, secret))
    const list = page.getByRole('list', { name: 'New codes' }).getByRole('listitem')
    await expect(list).toHaveCount(10)
    const codes = await list.allInnerTexts()
    secrets.push(...codes)
    await expectInHeap(page, codes)
    await app.power({ idleSeconds: 600 })
    await expect(page.getByText('Hidden after inactivity')).toHaveCount(2)
    await expectGone(page, secrets)
    await app.power({ idleSeconds: 0 })
    await button(page, 'Show codes').first().click()
    await page.getByRole('button', { name: 'Copy all' }).click()
    await button(page, 'Continue').click()
    await button(page, 'Close').click()
  })

  await test.step('a key that is shown once more, when the computer sleeps; who asks again is there again', async () => {
    await page.getByRole('button', { name: /^Show the key of/ }).click()
    await expect(key).toBeVisible()
    await app.power('suspend')
    await expect(page.getByRole('dialog').getByText('because the computer was asleep')).toBeVisible()
    await expectGone(page, secrets)
    await button(page, 'Show again').click()
    await expect(key).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).last().click()
  })

  await test.step('what is typed: a key, codes, a passphrase, an API key', async () => {
    const typed: readonly (readonly [dialog: string, label: string, text: string])[] = [
      ['Add a one-time password', 'Key', typedKey],
      ['Add backup codes', 'Codes', 'TYPE-DTYP-0001'],
      ['Export', 'Passphrase', typedPassphrase],
      ['Import', 'Or paste the text', 'otpauth://totp/Canary:typed?secret=CANARYCANARYCANARY'],
    ]
    for (const [dialog, label, text] of typed) {
      await button(page, dialog).click()
      await page.getByLabel(label, { exact: true }).fill(text)
      secrets.push(text)
      await app.power('lock-screen')
      await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
      await expect(page.getByText('The secrets that you entered here were cleared')).toBeVisible()
      await app.power('unlock-screen')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await expectGone(page, secrets)
    await page.evaluate(() => (location.hash = '#/welcome?step=connect'))
    const apiKey = page.getByLabel('New API key')
    await button(page, 'Replace key').click()
    await expect(apiKey).toHaveAttribute('aria-invalid', 'true')
    await apiKey.fill('canary-of-a-typed-api-key')
    secrets.push('canary-of-a-typed-api-key')
    // What is typed is found like what is shown.
    await expectInHeap(page, ['canary-of-a-typed-api-key'])
    await app.power('suspend')
    await expect(apiKey).toHaveValue('')
    await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0)
    await page.getByRole('link', { name: 'Security' }).click()
    await button(page, 'Show codes').click()
  })

  await test.step('a session, a backup code that is typed, and an export, by hand', async () => {
    await button(page, 'Sign in').click()
    await verifyBy(page, await freshTotp(service, secret))
    await expect(page.getByText('You’re signed in')).toBeVisible()
    const session = async () =>
      [...(await keychainEntries(world))].find(([name]) => name.startsWith('session/'))?.[1] ?? '{}'
    await expect.poll(session).toContain('sessionKey')
    const { sessionKey } = JSON.parse(await session()) as { readonly sessionKey: string }
    secrets.push(sessionKey)
    await button(page, 'Close').click()

    await button(page, 'New backup codes').click()
    await button(page, 'Continue').click()
    await button(page, 'Use a backup code').click()
    await code(page).fill('TYPE-DTYP-0002')
    secrets.push('TYPE-DTYP-0002')

    await button(page, 'Export').click()
    for (const label of ['Passphrase', 'Repeat passphrase'])
      await page.getByLabel(label, { exact: true }).fill(typedPassphrase)
    await button(page, 'Choose file and export').click()
    await expect(page.getByText('Exported, and tested with your passphrase')).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await button(page, 'Hide').click()
    await expect(button(page, 'Show codes')).toBeVisible()
    expect(sessionKey.length).toBeGreaterThan(20)
    await expectGone(page, secrets)
  })

  await test.step('a main and a page that are killed while they show one leave none behind', async () => {
    await button(page, 'Show codes').click()
    await page.getByRole('button', { name: /^Show the key of/ }).click()
    await expect(key).toBeVisible()
    await app.kill()
    const named = new Map(secrets.map((secret) => [secret, secret]))
    expect(secretsIn(named, [...(await filesBelow(userData)), app.logs()])).toEqual([])
  })
})

test('what the vault has of one account is nowhere in the page of another, only how much it is', async ({
  world,
}) => {
  const { service, app, userData } = world
  const owner = await openSecurity(app.page, service)
  await beginFirstTotp(app.page, owner)
  await app.page.getByLabel('Label').fill('canary-of-a-label')
  const secret = await enrollTotp(app.page, service)
  const list = app.page.getByRole('list', { name: 'New codes' }).getByRole('listitem')
  await expect(list).toHaveCount(10)
  const codes = await list.allInnerTexts()
  const secrets = [secret, ...codes]

  const other = await startSimulator({ offers: 1 })
  try {
    const page = await addAccount(app.page)
    await connect(page, other)
    await page.getByRole('link', { name: 'Security' }).click()
    await expect(
      page.getByText('1 more one-time password and 1 more set of backup codes belong to other accounts'),
    ).toBeVisible()
    // The other page shows them meanwhile.
    await expectInHeap(app.page, codes)
    expect(await foundInPage(page, [...secrets, owner.key, 'canary-of-a-label'])).toEqual([])
    const named = new Map(secrets.map((each) => [each, each]))
    expect(secretsIn(named, [...(await filesBelow(userData)), app.logs()])).toEqual([])
  } finally {
    await other.close()
  }
})
