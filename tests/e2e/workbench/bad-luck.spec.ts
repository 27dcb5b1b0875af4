import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  chooseOffer,
  connect,
  instanceRow,
  instancesOf,
  openTerminal,
  rent,
  rentalsOf,
  screenText,
  setUp,
  type,
  untilListed,
} from '../support/actions.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { search } from '../support/offers-actions.ts'
import { expect, test, testWithoutAccount } from '../support/world-test.ts'

/** Machines that run at once, where a test is not about booting. */
const quick = { service: { bootSeconds: [0, 0] } } as const

test.describe('the service', () => {
  testWithoutAccount(
    'unreachable, plain http, a web page; a key that is wrong, revoked, under-scoped: each is said, and what was typed stays',
    async ({ world }) => {
      const { service, app } = world
      const { page } = app
      await connect(page, {
        baseUrl: `http://127.0.0.1:${await findFreePort()}`,
        key: 'key',
      })
      await expect(page.getByText('The service refused the connection')).toBeVisible()

      await connect(page, { baseUrl: 'http://example.com', key: 'key' })
      await expect(page.getByText(/must begin with https/)).toBeVisible()

      const website = createServer((_, response) => response.end('<!doctype html><h1>Welcome</h1>'))
      await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
      try {
        const address = website.address()
        const port = typeof address === 'object' && address ? address.port : 0
        await connect(page, { baseUrl: `http://127.0.0.1:${port}`, key: 'key' })
        await expect(page.getByText(/HTML instead of JSON/)).toBeVisible()
      } finally {
        website.close()
      }

      await connect(page, { baseUrl: service.baseUrl, key: 'no-such-key' })
      await expect(page.getByText('The service doesn’t accept this key')).toBeVisible()
      await expect(page.getByLabel('Service address')).toHaveValue(service.baseUrl)
      await expect(page.getByRole('textbox', { name: 'API key' })).toHaveValue('no-such-key')

      await connect(page, { baseUrl: service.baseUrl, key: service.account('revoked').key })
      await expect(page.getByText('The service doesn’t accept this key')).toBeVisible()

      const reader = service.account('scoped-read', { categories: ['misc', 'user_read', 'instance_read'] })
      await setUp(page, { ...service, key: reader.key })
      await rent(page)
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByText('API key lacks permission')).toBeVisible()
      await expect(sheet.getByText(/Nothing was rented or charged/)).toBeVisible()
      await expect(page.getByLabel('Image')).toHaveValue('pytorch/pytorch:latest')
    },
  )

  test('a mistyped field is named, the last list stays, and trying again helps; that of instances stays, too, with its age and the reason', async ({
    world,
  }) => {
    const { service, app } = world
    const { page } = app
    // The fault is not for a search that is under way.
    await search(page)
    const offers = page.getByRole('table', { name: 'Offers' })
    await expect(offers.getByRole('button', { name: /^Rent/ }).first()).toBeVisible()
    service.faults.add({ method: 'POST', path: '/api/v0/bundles/', kind: 'wrong-types', fields: ['id'] })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText(/offers\.0\.id/)).toBeVisible()
    await expect(offers.getByRole('button', { name: /^Rent/ }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(/offers\.0\.id/)).toBeHidden()
    // It's hidden as soon as it's tried again.
    await search(page)
    for (const [kind, why] of [
      ['endless', /far too long/],
      ['deep', /nested far too deeply/],
    ] as const) {
      service.faults.add({ method: 'POST', path: '/api/v0/bundles/', kind })
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await expect(page.getByText(why)).toBeVisible()
      await expect(offers.getByRole('button', { name: /^Rent/ }).first()).toBeVisible()
    }

    await test.step('down while instances run', async () => {
      await rent(page)
      await expect(instanceRow(page)).toBeVisible()
      service.faults.add({ method: 'GET', path: '/api/v0/instances/', kind: '502-html', times: 20 })
      await expect(page.getByText('Service error')).toBeVisible()
      await expect(instanceRow(page)).toBeVisible()
      service.faults.clear()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('Service error')).toBeHidden()
    })
  })
})

test.describe('renting', () => {
  test('an offer that is gone: said, nothing rented, and the form is kept', async ({ world }) => {
    const { service, app } = world
    const { page } = app
    await chooseOffer(page)
    await page.getByLabel('Start script').fill('echo mine')
    const body = JSON.stringify({ image: 'other', disk: 8 })
    for (const offerId of await offeredIds(service))
      await fetch(`${service.baseUrl}/api/v0/asks/${offerId}/`, {
        method: 'PUT',
        body,
        headers: { authorization: `Bearer ${service.account('default').key}` },
      })
    const before = rentalsOf(service).length
    const rentButton = page.getByRole('button', { name: 'Rent this machine' })
    await rentButton.click()
    await expect(page.getByText('Your search no longer finds this offer')).toBeVisible()
    expect(rentalsOf(service)).toHaveLength(before)
    await rentButton.click()
    await expect(page.getByText('The service didn’t rent this machine')).toBeVisible()
    await expect(page.getByLabel('Start script')).toHaveValue('echo mine')
    await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible()
  })

  test('a reply lost after the work was done: found in the list, rented once', async ({ world }) => {
    const { service, app } = world
    const { page } = app
    service.faults.add({ method: 'PUT', path: '/api/v0/asks/*', kind: 'reset-after' })
    await rent(page)
    await expect(page.getByText(/was rented$/).first()).toBeVisible()
    await expect(page.getByText(/reply was lost, but the list has new instance/).first()).toBeVisible()
    expect(rentalsOf(service)).toHaveLength(1)
  })

  test('a reply lost before the work was done: said plainly that nothing is charged', async ({ world }) => {
    const { service, app } = world
    const { page } = app
    service.faults.add({ method: 'PUT', path: '/api/v0/asks/*', kind: 'reset-before' })
    await rent(page)
    await expect(page.getByText(/Don’t rent this offer again yet/).first()).toBeVisible()
    await expect(page.getByText(/You aren’t charged and can rent again/).first()).toBeVisible({
      timeout: 90_000,
    })
    expect(rentalsOf(service)).toHaveLength(1)
  })

  test('the app killed between the request and its reply: adopted at the next start', async ({ world }) => {
    const { service, app } = world
    service.faults.add({ method: 'PUT', path: '/api/v0/asks/*', kind: 'slow-drip', ms: 20_000 })
    await rent(app.page)
    await expect.poll(async () => (await instancesOf(service)).length).toBe(1)
    await app.kill()
    const { page } = await world.startAgain()
    await expect(page.getByText(/reply was lost, but the list has new instance/).first()).toBeVisible()
    expect(rentalsOf(service)).toHaveLength(1)
    expect(await instancesOf(service)).toHaveLength(1)
    await page.getByRole('button', { name: /^Dismiss/ }).click()
    await expect(page.getByText(/reply was lost/)).toHaveCount(0)
  })
})

test.describe('an instance', () => {
  test('that ends in exited, unknown, or offline: what it costs and what to do', async ({ world }) => {
    const { service, app } = world
    const { page } = app
    const seen = new Set<number>()
    for (const [fate, words] of [
      ['exited', 'Exited'],
      ['unknown', 'No heartbeat'],
      ['offline', 'Offline'],
    ] as const)
      await test.step(fate, async () => {
        service.instances.planNextFate({ actualStatus: fate, afterSeconds: 1 })
        await page.getByRole('link', { name: /^Offers/ }).click()
        await rent(page)
        await expect.poll(async () => (await instancesOf(service)).length).toBe(seen.size + 1)
        const { id } = (await instancesOf(service)).find((one) => !seen.has(one.id)) ?? { id: 0 }
        seen.add(id)
        const row = instanceRow(page, id)
        await untilListed(page, row.getByText(words, { exact: true }))
        await expect(row.getByText(/It won’t recover/)).toBeVisible()
        await expect(row.getByText(/still charged .*for its disk/)).toBeVisible()
        await expect(row.getByRole('button', { name: 'Destroy' })).toBeEnabled()
      })
  })
})

test.describe('a terminal', () => {
  test.use({ worldOptions: quick })

  test('a changed host key is refused loudly; an SSH port that refuses, and a shell that ends, leave the screen, with the way back', async ({
    world,
  }) => {
    const { service, app, userData } = world
    const { page } = app
    await rent(page)
    await openTerminal(page)
    const [instance] = await instancesOf(service)
    // Ends the connection; Slipway connects again by itself.
    await service.instances.replaceHostKey(instance?.id ?? 0)
    const dialog = page.getByRole('dialog', { name: 'Host key changed' })
    await expect(dialog).toContainText('line 1')
    await expect(dialog).toContainText(join(userData, 'known_hosts'))
    await expect(dialog.getByRole('button', { name: 'Forget and ask again' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Don’t connect' }).click()
    const before = await readFile(join(userData, 'known_hosts'), 'utf8')
    await page.getByRole('button', { name: 'Reconnect' }).click()
    await dialog.getByLabel(/I know why/).check()
    await dialog.getByRole('button', { name: 'Forget and ask again' }).click()
    await page.getByRole('button', { name: 'Trust this host' }).click()
    // What is typed before it connects is dropped.
    await expect(page.getByRole('group', { name: 'Terminal status' })).toContainText('Connected')
    await type(page, 'echo back-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^back-42$/m)
    expect(await readFile(join(userData, 'known_hosts'), 'utf8')).not.toBe(before)

    await test.step('an SSH port that refuses, and a shell that ends: the screen stays', async () => {
      const status = page.getByRole('group', { name: 'Terminal status' })
      await expect(status).toContainText(/\d ms/)
      await type(page, 'echo kept-$((40 + 2)); exit 3\n')
      await expect(page.getByText(/exit status 3/)).toBeVisible()
      await expect.poll(() => screenText(page)).toContain('kept-42')
      await service.instances.setSshd(instance?.id ?? 0, 'down')
      await page.getByRole('button', { name: 'Reconnect' }).click()
      await expect(page.getByText('Couldn’t connect to either address')).toBeVisible()
      expect(await screenText(page)).toContain('kept-42')
      await service.instances.setSshd(instance?.id ?? 0, 'up')
      await page.getByRole('button', { name: 'Reconnect' }).click()
      await expect(page.locator('.xterm-helper-textarea')).toBeFocused()
      // At once: it waits for the shell.
      await page.keyboard.type('echo again-$((40 + 2))\n')
      await expect.poll(() => screenText(page)).toMatch(/^again-42$/m)
      await service.instances.setSshd(instance?.id ?? 0, 'down')
      await expect(status).toContainText(/Reconnecting.*in \d+ s \(\d+(st|nd|rd|th) try\)/s)
      await page.getByRole('button', { name: 'Stop trying' }).click()
      await expect(page.getByText('You stopped connecting')).toBeVisible()
      await expect(status).toContainText('Not connected')
    })
  })
})

test.describe('a locked keychain', () => {
  test.use({ worldOptions: { keychain: 'locked' } })

  testWithoutAccount(
    'keeps nothing without a word: unlock it, or choose memory for this run',
    async ({ world }) => {
      const { service, app, keyring } = world
      const { page } = app
      await connect(page, service)
      await expect(page.getByRole('main').getByText('The keychain is locked')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Save until I quit' })).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'API key' })).toHaveValue(service.key)
      await keyring?.unlock()
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
      // One who went on now would rent without the key.
      keyring?.freeze()
      await page.getByRole('button', { name: 'Create SSH key' }).click()
      await expect(page.getByText('Creating the SSH key')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
      keyring?.thaw()
      await expect(page.getByText(/SHA256:/).first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
    },
  )

  test('is locked at the start of an app that is connected: once it is unlocked, all is well by itself', async ({
    world,
  }) => {
    const { app, keyring } = world
    const { page } = app
    await expect(page.getByRole('button', { name: /^Service/ }).getByText('Key locked')).toBeVisible()
    await keyring?.unlock()
    // The keychain is looked at when a key is needed: with the next list, half a minute later at most.
    await expect(page.getByText('Key locked')).toHaveCount(0, { timeout: 60_000 })
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect(page.getByText('You have no instances')).toBeVisible()
  })
})

test.describe('no keychain', () => {
  test.use({ account: 'none', worldOptions: { keychain: 'absent' } })

  test('memory for this run, with a banner, and nothing on the disk', async ({ world }) => {
    const { service, app } = world
    const { page } = app
    await expect(page.getByText(/stores secrets in memory until you quit/).first()).toBeVisible()
    await setUp(page, service)
    await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
    await app.close()
    const again = await world.startAgain()
    await expect(again.page.getByLabel('Service address')).toBeVisible()
  })
})

/** Offers that another user could take. */
async function offeredIds(service: { readonly baseUrl: string; readonly key: string }): Promise<number[]> {
  const response = await fetch(`${service.baseUrl}/api/v0/bundles/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: JSON.stringify({ rentable: { eq: true }, limit: 20, order: [['dlperf_per_dphtotal', 'desc']] }),
  })
  const { offers } = (await response.json()) as { offers: { id: number }[] }
  return offers.map(({ id }) => id)
}
