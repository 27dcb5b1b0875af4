import type { Page } from '@playwright/test'
import type { CloudProvider } from '#domain/cloud/cloud-connection.ts'
import { connect } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { watchFor } from '../support/passing-words.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { offers: 1 } } })

const cloudPath = '/api/v0/users/cloud/'
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a connection' })
const invalid = (page: Page) => dialog(page).locator('[aria-invalid="true"]')
const table = (page: Page) => page.getByRole('table', { name: 'Cloud connections' })
const toasts = (page: Page) => page.getByRole('region', { name: 'What happened' })

async function openForm(page: Page, provider: CloudProvider): Promise<void> {
  if (!(await dialog(page).isVisible())) await page.getByRole('button', { name: 'Add a connection' }).click()
  await dialog(page).getByLabel('Provider').click()
  await page.getByRole('option', { name: `(${provider})` }).click()
}
async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await dialog(page).getByLabel(label, { exact: true }).fill(value)
}
const add = (page: Page) => dialog(page).getByRole('button', { name: 'Add', exact: true }).click()

/** What is typed for each provider, and what the service gets of it; the journal masks what is secret. */
const providers: readonly {
  readonly provider: CloudProvider
  readonly typed: Readonly<Record<string, string>>
  readonly sent: Readonly<Record<string, string>>
}[] = [
  {
    provider: 's3',
    typed: { Name: 'Weights', 'Access key': 'AK-canary-1', 'Secret access key': ' SK-canary-2 ' },
    sent: { user_given_name: 'Weights', access_key: '***', secret_access_key: '***' },
  },
  {
    provider: 'b2',
    typed: { Name: 'Results', 'Key ID': 'KI-canary-3', 'Application key': 'AP-canary-4' },
    sent: { user_given_name: 'Results', key_id: '***', application_key: '***' },
  },
  {
    provider: 'hf',
    typed: {
      Name: 'Hub',
      Namespace: 'ada-lovelace',
      'Access key': 'HFAK-canary-5',
      'Secret access key': 'SK-canary-6',
    },
    sent: { user_given_name: 'Hub', namespace: 'ada-lovelace', access_key: '***', secret_access_key: '***' },
  },
  {
    provider: 'drive',
    typed: { Name: 'Papers', 'Code or redirect address': 'https://x.example/cb?code=4%2Fcanary-7&scope=all' },
    sent: { user_given_name: 'Papers', code: '***' },
  },
  {
    provider: 'filesync',
    typed: { 'Code or redirect address': 'https://x.example/cb?state=canary-8&code=4%2Fcanary-9#top' },
    sent: { code: '***', state: '***' },
  },
]

/** Each rule of each field, with what the field then says. */
const wrong: readonly (readonly [CloudProvider, string, string, RegExp])[] = [
  ['s3', 'Name', ' ', /Enter a name/],
  ['s3', 'Access key', '', /Paste the access key ID/],
  ['s3', 'Secret access key', 'two words', /Contains a space/],
  ['b2', 'Key ID', '', /Paste the application key ID/],
  ['b2', 'Application key', '', /Paste the application key\./],
  ['hf', 'Access key', 'AKIA1234', /starts with HFAK/],
  ['hf', 'Secret access key', '', /Paste the secret access key/],
  ['hf', 'Namespace', 'ada/data', /no slash/],
  ['hf', 'Namespace', '', /user or organization/],
  ['drive', 'Code or redirect address', '', /Paste the code/],
  ['drive', 'Code or redirect address', 'https://x.example/consent', /has no code/],
  ['drive', 'Code or redirect address', 'https://x.example/cb?error=access_denied', /Access wasn’t granted/],
  ['filesync', 'State', '', /Paste the state/],
]

test('what is wrong with a field is said at it, what the service says is shown; each provider gets its own fields, once, and nothing secret stays', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const bodies = () =>
    service
      .journal()
      .filter(({ method, path }) => method === 'POST' && path === cloudPath)
      .map(({ body }) => body)
  await connect(page, service)
  await page.getByRole('link', { name: 'Cloud' }).click()
  await expect(page.getByText('No connections yet')).toBeVisible()
  await expect(page.getByText('can’t rename or remove a connection')).toBeVisible()
  await test.step('axe, empty', async () => expect.soft(await findings(page)).toEqual([]))

  await test.step('rules', async () => {
    for (const [provider, label, value, message] of wrong) {
      await openForm(page, provider)
      await fill(page, { [label]: value })
      await add(page)
      const field = dialog(page).getByLabel(label, { exact: true })
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(message)
      await expect(invalid(page).first()).toBeFocused()
      await fill(page, { [label]: '' })
    }
    expect.soft(await findings(page)).toEqual([])
    expect(bodies()).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
  })

  await test.step('what is typed and secret goes when nobody is there, also where it is shown', async () => {
    await openForm(page, 's3')
    await fill(page, { Name: 'Weights', 'Access key': 'AK-typed' })
    await add(page)
    await expect(invalid(page)).toHaveCount(1)
    await fill(page, { 'Secret access key': 'SK-typed' })
    await dialog(page).getByRole('checkbox', { name: 'Show secrets' }).click()
    await app.power('lock-screen')
    await expect(dialog(page).getByText('The secrets that you entered here were cleared')).toBeVisible()
    await app.power('unlock-screen')
    for (const [label, left] of [
      ['Name', 'Weights'],
      ['Access key', ''],
      ['Secret access key', ''],
    ] as const)
      await expect(dialog(page).getByLabel(label, { exact: true })).toHaveValue(left)
    // Nobody has left them empty.
    await expect(invalid(page)).toHaveCount(0)
    await expect(dialog(page).getByLabel('Access key', { exact: true })).toHaveAttribute('type', 'password')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
  })

  const weights = { Name: 'Weights', 'Access key': 'AK-refused', 'Secret access key': 'SK-canary-2' }
  await test.step('success false is a refusal, and what was typed stays', async () => {
    await openForm(page, 's3')
    await fill(page, weights)
    await add(page)
    await expect(dialog(page).getByRole('alert')).toContainText('“The provider did not accept this.”')
    await expect(dialog(page).getByRole('alert')).toBeInViewport({ ratio: 0.99 })
    await expect(dialog(page).getByLabel('Secret access key', { exact: true })).toHaveValue('SK-canary-2')
    expect(bodies()).toHaveLength(1)
  })
  await test.step('a reply that is lost before anything was done', async () => {
    service.faults.add({ kind: 'reset-before', method: 'POST', path: cloudPath })
    await fill(page, { 'Access key': 'AK-canary-1' })
    await add(page)
    await expect(dialog(page).getByRole('alert')).toContainText('doesn’t show a new connection')
    expect(bodies()).toHaveLength(2)
    await dialog(page).getByRole('button', { name: 'Check the list' }).click()
    await expect(dialog(page).getByText('The list has no connection with this provider.')).toBeVisible()
  })
  await test.step('a reply that is lost although it was done', async () => {
    service.faults.add({ kind: 'reset-after', method: 'POST', path: cloudPath })
    await add(page)
    await expect(toasts(page)).toContainText(/the list shows the new connection “Weights” \(ID \d+\)/)
    await expect(table(page).getByRole('row')).toHaveCount(2)
    expect(bodies()).toHaveLength(3)
    await toasts(page).getByRole('button').click()
  })
  await test.step('a list that cannot be had stays as it was, with its age', async () => {
    service.faults.add({ kind: '500', path: cloudPath, times: 3 })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('Not up to date:')).toBeVisible()
    await expect(table(page).getByRole('row')).toHaveCount(2)
    expect.soft(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Not up to date:')).toBeHidden()
  })
  await test.step('what cannot be read is counted', async () => {
    // More than one, as what was tried again may still be on its way.
    service.faults.add({ kind: 'wrong-types', path: cloudPath, fields: ['id'], times: 3 })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('lists 1 more connection that Slipway can’t read')).toBeVisible()
    expect.soft(await findings(page)).toEqual([])
  })
  service.faults.clear()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(table(page).getByRole('row')).toHaveCount(2)

  for (const { provider, typed, sent } of providers)
    await test.step(provider, async () => {
      const before = bodies().length
      const rows = await table(page).getByRole('row').count()
      await openForm(page, provider)
      await fill(page, typed)
      if (provider === 'filesync') {
        await expect(dialog(page).getByLabel('Name', { exact: true })).toHaveCount(0)
        await expect(dialog(page).getByText('Took the code and the state')).toBeVisible()
        await expect(dialog(page).getByLabel('Code or redirect address')).toHaveValue('4/canary-9')
        await expect(dialog(page).getByLabel('State', { exact: true })).toHaveValue('canary-8')
      }
      const told = `The connection ${sent['user_given_name'] ?? 'Files of'}`
      const timesTold = await watchFor(page.locator('section[aria-label="What happened"]'), told)
      await add(page)
      await expect(dialog(page)).toBeHidden()
      expect(bodies().slice(before)).toEqual([{ provider, ...sent }])
      await expect.poll(timesTold).toBe(1)
      await expect(table(page).getByRole('row')).toHaveCount(rows + 1)
    })
  await expect(table(page).getByRole('row').filter({ hasText: 'Hub' })).toContainText('Model hub bucket (hf)')

  await test.step('the form begins empty again, by the keyboard alone', async () => {
    await page.getByRole('button', { name: 'Add a connection' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByLabel('Secret access key', { exact: true })).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Add a connection' })).toBeFocused()
  })
  expect(app.logs()).not.toContain('canary')
  expect(JSON.stringify(service.journal())).not.toContain('canary')
  // What was in a form a moment ago, its transition may hold for a moment more.
  await expect
    .poll(async () => (await heapOf(page)).match(/canary-\d/g), {
      message: 'the window keeps a secret',
      timeout: 60_000,
    })
    .toBeNull()
})

/** Everything that the page's engine holds, as text. */
async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const pieces: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk))
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return pieces.join('')
}
