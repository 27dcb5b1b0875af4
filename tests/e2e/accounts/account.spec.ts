import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { connect } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { watchFor } from '../support/passing-words.ts'
import { button, freshTotp, openSecurity, totpSecret, verifyBy } from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { offers: 1 } } })

const health = (page: Page) => page.getByRole('group', { name: 'Key health' })
const permission = (page: Page, category: string) =>
  page.getByRole('table', { name: 'Permissions of the key' }).getByRole('row', { name: category })
const ask = (page: Page) => page.getByRole('button', { name: 'Check permissions' }).click()

async function replaceKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('New API key').fill(key)
  await page.getByRole('button', { name: 'Replace key' }).click()
}

test('the account page tells who it is, how the key is and what it may do, and replaces it', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await connect(page, service)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Account and key' }).click()
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()

  await test.step('the record', async () => {
    await expect(page.getByText(/@example\.com \(verified\)/)).toBeVisible()
    await page.getByText(/All \d+ fields/).click()
    await expect(page.getByText('is_admin')).toBeVisible()
  })
  await test.step('a key with full access, asked by what changes nothing', async () => {
    await expect(health(page)).toContainText('Works')
    const before = service.journal().length
    await ask(page)
    for (const category of ['user_read', 'instance_read', 'misc'])
      await expect(permission(page, category)).toContainText('Yes')
    await expect(permission(page, 'instance_write')).toContainText('Unknown')
    const asked = service
      .journal()
      .slice(before)
      .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`)
    expect(asked).toContain('POST /api/v0/bundles/ {"limit":1}')
    expect(asked.filter((line) => !line.startsWith('GET '))).toHaveLength(1)
    expect.soft(await findings(page)).toEqual([])
  })
  await test.step('a key that is wrong is not taken', async () => {
    await page.getByRole('button', { name: 'Replace key' }).click()
    await expect(page.getByText('Paste an API key of your account.')).toBeVisible()
    await expect(page.getByLabel('New API key')).toBeFocused()
    await replaceKey(page, 'wrong-canary-key')
    await expect(page.getByRole('alert')).toContainText('wrong or was deleted')
    await expect(page.getByRole('alert')).toContainText('Slipway still uses the current key')
  })
  await test.step('nor one of somebody else', async () => {
    await replaceKey(page, service.account('admin').key)
    await expect(page.getByRole('alert')).toContainText('belongs to another account')
    await expect(health(page)).toContainText('Works')
  })
  const limited = service.keys.create(service.key, ['user_read', 'instance_read'])
  await test.step('one of the same account takes its place, and is limited', async () => {
    await replaceKey(page, limited)
    await expect(page.getByText('The new key is in use.')).toBeVisible()
    await expect(page.getByLabel('New API key')).toHaveValue('')
    await expect(page.getByText(`••••${limited.slice(-4)}`)).toBeVisible()
    // What the old one may is no word about the new one.
    await expect(permission(page, 'misc')).toContainText('Not checked yet')
    await ask(page)
    await expect(permission(page, 'user_read')).toContainText('Yes')
    await expect(permission(page, 'misc')).toContainText(
      'The service said: “the API key lacks the permission misc”',
    )
    await expect(health(page)).toContainText('Works, limited')
    await expect(health(page)).toContainText('not for misc')
  })
  await test.step('an address that was changed meanwhile gets no key, and connecting anew mends it', async () => {
    service.keys.revoke(service.key)
    await app.close()
    const asked: string[] = []
    const elsewhere = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`)
      response.end()
    }).listen(0, '127.0.0.1')
    try {
      await once(elsewhere, 'listening')
      const address = elsewhere.address()
      const evil = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
      const file = join(world.userData, 'accounts.json')
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll(service.baseUrl, evil))

      const { page: again } = await world.startAgain()
      await again.getByRole('button', { name: /^Service:/ }).click()
      await expect(again.getByText('The service address was changed outside Slipway').first()).toBeVisible()
      await expect(again.getByText(`names ${evil}, but the API key`).first()).toContainText(service.baseUrl)
      await again.keyboard.press('Escape')
      await again.getByRole('link', { name: /^Settings/ }).click()
      await again.getByRole('link', { name: 'Account and key' }).click()
      await replaceKey(again, limited)
      await expect(again.getByRole('alert').last()).toContainText('The API key wasn’t sent.')

      const opened = again.context().waitForEvent('page')
      await again.getByRole('button', { name: /^Account:/ }).click()
      await again.getByRole('button', { name: 'Add an account' }).click()
      await connect(await opened, { baseUrl: service.baseUrl, key: limited })
      await expect(health(again)).toContainText('Works')
      expect(asked).toEqual([])
      await world.app.close()
    } finally {
      elsewhere.close()
    }
  })
  await test.step('it is the one in the keychain, also after a restart', async () => {
    const before = service.journal().length
    const { page: again } = await world.startAgain()
    await again.getByRole('link', { name: /^Settings/ }).click()
    await again.getByRole('link', { name: 'Account and key' }).click()
    await expect(health(again)).toContainText('Works')
    const since = () => service.journal().slice(before)
    await expect
      .poll(() => since().some(({ path, status }) => path === '/api/v0/users/current/' && status === 200))
      .toBe(true)
    expect(since().filter(({ status }) => status === 401)).toEqual([])
  })
  await test.step('a key that worked and is refused was revoked', async () => {
    const { page: again } = world.app
    service.keys.revoke(limited)
    await again.getByRole('button', { name: 'Check key' }).click()
    await expect(health(again)).toContainText('most likely revoked')
    expect.soft(await findings(again)).toEqual([])
    await replaceKey(again, service.account('revoked').key)
    await expect(again.getByRole('alert').last()).toContainText('doesn’t accept this key')
  })
})

test('a page, and a step of the first run, is shown from its top; the scope of a limited key is put together to be pasted', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await page.setViewportSize({ width: 960, height: 600 })
  await connect(page, service)
  await page.getByRole('button', { name: 'Create SSH key' }).click()
  await expect(page.getByText(/SHA256:/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Ready', level: 1 })).toBeInViewport()

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Account and key' }).click()
  await page.getByRole('button', { name: 'Add category' }).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeInViewport()

  await test.step('the scope of a limited key', async () => {
    await page.getByRole('link', { name: 'Account and key' }).click()
    const scope = page.getByRole('region', { name: 'Scope' })
    const scopeNow = async () => JSON.parse(await scope.innerText()) as unknown
    expect(await scopeNow()).toEqual({ api: { user_read: {}, instance_read: {} } })
    await page.getByRole('checkbox', { name: 'instance_write' }).click()
    await page.getByRole('checkbox', { name: 'user_read' }).click()
    await expect(page.getByText('Without user_read, Slipway can’t tell whose account it is')).toBeVisible()
    expect(await scopeNow()).toEqual({ api: { instance_read: {}, instance_write: {} } })

    await page.getByRole('button', { name: 'Add category' }).click()
    const free = page.getByLabel('Other category 1', { exact: true })
    await expect(free).toBeFocused()
    await expect(scope).toBeHidden()
    for (const [name, message] of [
      ['', 'Enter the category’s name'],
      ['misc', 'listed above'],
      ['billing read', 'letters, digits, and _'],
    ] as const) {
      await free.fill(name)
      await expect(free).toHaveAccessibleDescription(new RegExp(message))
    }
    await free.fill('billing_read')
    expect(await scopeNow()).toEqual({ api: { instance_read: {}, instance_write: {}, billing_read: {} } })
    await page.getByRole('button', { name: 'Remove other category 1' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Add category' })).toBeFocused()
    await expect(page.getByText('doesn’t say which other categories exist')).toBeVisible()
  })
})

test('a session is used for 2FA while it lasts, then the key again, which is said', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  const owner = await openSecurity(page, service, 'default', { twoFactorMethods: [{ method: 'totp' }] })
  await button(page, 'Sign in').click()
  await verifyBy(page, await freshTotp(service, totpSecret(owner)))
  await button(page, 'Close').click()
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Account/ })
    .click()
  await page.getByRole('link', { name: 'Account and key' }).click()
  const session = page.getByRole('region', { name: 'Session' })
  await expect(session).toContainText('Signed in')
  await expect(session).toContainText('your API key for all other requests')

  // A session lives for a day.
  await service.clock.advance(24 * 60 * 60)
  const before = service.journal().length
  const word = page.getByRole('region', { name: 'What happened' })
  const timesTold = await watchFor(word, 'Requests use your API key again')
  await page.getByRole('link', { name: 'Security' }).click()
  await expect.poll(timesTold).toBe(1)
  await expect(button(page, 'Sign in')).toBeVisible()
  const asked = () =>
    service
      .journal()
      .slice(before)
      .flatMap(({ path, status }) => (path === '/api/v0/tfa/status/' ? [status] : []))
  await expect.poll(asked).toEqual([403, 200])
})
