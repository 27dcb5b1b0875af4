import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Simulator } from '../simulator/simulator.ts'
import {
  chooseOffer,
  instanceRow,
  instancesOf,
  openTerminal,
  rentalsOf,
  screenText,
  setUp,
  type,
} from './actions.ts'
import { findings } from './axe.ts'
import { expect, test } from './world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

const greeting = `it's "two" words for $HOME`

test('a template, ports, a value with quotes and a script of 20,000 characters arrive as they were', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await makeTemplate(service, { env: `-e GREETING=template -e KEPT='from the template' -p 8080:80` })
  await setUp(page, service)
  await openSheet(page)
  await chooseTemplate(page)
  await addVariable(page, 1, 'GREETING', greeting)
  await addPort(page, 2, '9000-9001', '7000-7001')
  await addPort(page, 3, '5353', '53', 'UDP')
  const { script, payload } = longScript(20_000)
  await page.getByLabel('Start script').fill(script)
  await expect(page.getByText(/20,000 characters are sent packed/)).toBeVisible()
  const gets = page.getByRole('group', { name: 'What is sent' })
  await expect(gets).toContainText(greeting)
  await expect(gets).toContainText('merged')
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(instanceRow(page).getByText(/^running$/i)).toBeVisible({ timeout: 30_000 })

  await openTerminal(page)
  await type(page, `clear; sha256sum <payload; printf '[%s]\\n' "$GREETING" "$KEPT"\n`)
  await expect.poll(() => screenText(page)).toContain(createHash('sha256').update(payload).digest('hex'))
  await expect.poll(() => screenText(page)).toContain(`[${greeting}]`)
  await expect.poll(() => screenText(page)).toContain('[from the template]')

  const [instance] = await instancesOf(service)
  expect(instance).toMatchObject({ image_uuid: 'team/trainer:v3', disk_space: 40 })
  expect(Object.fromEntries((instance as unknown as { extra_env: [string, string][] }).extra_env)).toEqual({
    GREETING: greeting,
    KEPT: 'from the template',
    '-p 8080:80': '1',
    '-p 9000:7000': '1',
    '-p 9001:7001': '1',
    '-p 5353:53/udp': '1',
  })
})

test('a template’s own script runs although a first step lets the key in', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await makeTemplate(service, { onstart: 'echo "made by the template" > made\n' })
  await setUp(page, service)
  await openSheet(page)
  await chooseTemplate(page)
  await expect(page.getByText('This is the template’s script.')).toBeVisible()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(instanceRow(page).getByText(/^running$/i)).toBeVisible({ timeout: 30_000 })
  await openTerminal(page)
  await type(page, 'cat made\n')
  await expect.poll(() => screenText(page)).toContain('made by the template')
})

test('flags that cannot be sent are named, and nothing is rented until they are gone', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  await chooseOffer(page)
  await page.getByRole('button', { name: 'Flags' }).click()
  const flags = page.getByLabel('Flags', { exact: true })
  await flags.fill(`-e A='two words' -v /data:/data -p 80`)
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(page.getByText('-v /data:/data', { exact: true })).toBeVisible()
  await expect(page.getByText('-p 80', { exact: true })).toBeVisible()
  expect(rentalsOf(service)).toEqual([])

  await page.getByRole('button', { name: 'Rows' }).click()
  await expect(page.getByLabel('Value of variable 1')).toHaveValue('two words')
  await page.getByRole('button', { name: 'Remove row 3' }).click()
  await page.getByRole('button', { name: 'Remove row 2' }).click()

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('table', { name: 'Offers' }).getByRole('button', { name: /^Rent/ }).nth(1).click()
  await expect(page.getByLabel('Value of variable 1')).toHaveValue('two words')
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(instanceRow(page)).toBeVisible()
  expect(rentalsOf(service)).toMatchObject([{ body: { env: { A: 'two words' } } }])
})

test('what would cost more, or could not run, is said before it is rented', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await makeTemplate(service, { env: '-p 8080:80', recommended_disk_space: 100_000 })
  await setUp(page, service)
  await openSheet(page)
  const cost = page.getByRole('region', { name: 'This will cost' })
  const perHour = async (): Promise<number> =>
    Number(/Per hour\s*\$([\d.,]+)\/h/.exec(await cost.innerText())?.[1]?.replaceAll(',', ''))
  const small = await perHour()
  await page.getByLabel('Template').click()
  await page.getByRole('option', { name: /My trainer/ }).click()
  await expect(cost).toContainText(/has only [\d,]+ GB of disk/)
  expect(await perHour()).toBeGreaterThan(small + 1)
  await page.getByLabel('Disk (GB)').fill('8')
  expect(await perHour()).toBe(small)

  await page.getByLabel('Image').fill('two words')
  await addPort(page, 1, '8079-8081', '179-181')
  await addPort(page, 2, '9000', '90')
  await addPort(page, 3, '9000', '91')
  await expect(page.getByText('The template leads port 8080 of the machine elsewhere')).toBeVisible()
  await expect(page.getByText('Port 9000 of the machine leads elsewhere already.')).toBeVisible()
  await expect(page.getByLabel('Body of the request')).toContainText('-p 9000:90')
  await expect(page.getByLabel('Body of the request')).not.toContainText('-p 9000:91')
  await page.getByLabel('Start script').fill(randomBytes(20_000).toString('base64'))
  await expect(page.getByText(/characters too many, though it is packed/)).toBeVisible()
  await expect(page.getByText(/[\d,]+ \/ 4,048/)).toBeVisible()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(page.getByText('The name of an image has no spaces.')).toBeVisible()
  expect(rentalsOf(service)).toEqual([])
})

test('an offer that has become dearer, or is found no more, is asked about first', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  await chooseOffer(page)
  const rentButton = page.getByRole('button', { name: 'Rent this machine' })
  const offerId = Number(/Offer (\d+)/.exec(await page.getByRole('dialog').innerText())?.[1])
  await changeOffer(service, offerId, { dph_base: 9, dlperf_per_dphtotal: 9999 })
  // Enter in a field spends nothing.
  await page.getByLabel('Image').press('Enter')
  await rentButton.click()
  await expect(page.getByText(/It was \$0\.[\d.]+\/h, and is \$9[\d.]*\/h now/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'This will cost' })).toContainText('$9')
  await changeOffer(service, offerId, { verified: false })
  await rentButton.click()
  await expect(page.getByText('Your search does not find this offer any more')).toBeVisible()
  expect(rentalsOf(service)).toEqual([])
  await rentButton.click()
  await expect(instanceRow(page)).toBeVisible()
  expect(rentalsOf(service)).toHaveLength(1)
})

test('the instance’s own key is shown once, kept in the keychain, and nowhere else', async ({ world }) => {
  const { service, app, userData } = world
  const { page } = app
  await setUp(page, service)
  await chooseOffer(page)
  await page.getByRole('switch', { name: 'Keep the instance’s own key' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  const shown = page.getByRole('region', { name: /shown only now/ })
  await expect(shown).toContainText('It is in the keychain')
  await shown.getByRole('button', { name: 'Reveal' }).click()
  const key = (await shown.locator('code').innerText()).trim()
  // It is the right one: it may destroy its instance, and nothing else.
  const [instance] = await instancesOf(service)
  expect((await callWith(key, service, 'GET', '/api/v0/instances/')).status).toBe(403)

  // What is shown once does not go away by a click beside it, or by Escape.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 300)
  await page.evaluate(() => (location.hash = '#/settings'))
  await expect(shown).toBeVisible()
  expect(page.url()).toContain('#/offers')
  await page.getByRole('button', { name: 'Done, show instances' }).click()
  await expect(instanceRow(page)).toBeVisible()
  expect(await page.content()).not.toContain(key)
  expect((await filesBelow(userData)).join('\n')).not.toContain(key)
  expect(app.logs()).not.toContain(key)
  expect((await callWith(key, service, 'DELETE', `/api/v0/instances/${instance?.id ?? 0}/`)).status).toBe(200)
})

test('axe finds nothing in the sheet, whatever is open in it; rows go and leave the focus near', async ({
  world,
}) => {
  test.setTimeout(240_000)
  const { service, app } = world
  const { page } = app
  const check = (where: string) =>
    test.step(where, async () => expect.soft(await findings(page), where).toEqual([]))
  await makeTemplate(service, { env: '-e MODE=train', onstart: 'true\n', volume_info: {} })
  await setUp(page, service)
  await openSheet(page)
  await page.getByLabel('Template').click()
  await expect(page.getByRole('option', { name: /My trainer/ })).toBeVisible()
  await check('the templates')
  await page.getByRole('option', { name: /My trainer/ }).click()
  await addVariable(page, 1, '-X', '')
  await addPort(page, 2, '90', '')
  await page.getByRole('radio', { name: 'Create one' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await check('errors')
  await page.getByRole('button', { name: 'Remove row 2' }).click()
  await expect(page.getByRole('button', { name: 'Remove row 1' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Add a variable' })).toBeFocused()
  await page.getByRole('radio', { name: 'No volume' }).click()
  await page.getByRole('button', { name: 'Flags' }).click()
  await page.getByLabel('Flags', { exact: true }).fill('-v /a:/b')
  await check('flags')
  await page.getByLabel('Flags', { exact: true }).fill('-e A=b')
  await page.getByRole('switch', { name: 'Keep the instance’s own key' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(page.getByRole('region', { name: /shown only now/ })).toBeFocused()
  await check('the instance’s own key')
})

/** A template of the default account. */
async function makeTemplate(service: Simulator, fields: object): Promise<void> {
  const reply = await callWith(service.key, service, 'POST', '/api/v0/template/', {
    name: 'My trainer',
    image: 'team/trainer',
    tag: 'v3',
    recommended_disk_space: 40,
    docker_login_repo: '',
    docker_login_user: '',
    docker_login_pass: '',
    ...fields,
  })
  expect(reply.status).toBe(200)
}

/** Changes fields of an offer, as its host does. */
async function changeOffer({ baseUrl }: Simulator, id: number, fields: object): Promise<void> {
  const reply = await fetch(`${baseUrl}/_simulator/offers/${id}`, {
    method: 'POST',
    body: JSON.stringify(fields),
  })
  expect(reply.status).toBe(200)
}

function callWith(key: string, { baseUrl }: Simulator, method: string, path: string, body?: object) {
  return fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function openSheet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('table', { name: 'Offers' }).getByRole('button', { name: /^Rent/ }).first().click()
}

async function chooseTemplate(page: Page): Promise<void> {
  await page.getByLabel('Template').click()
  await page.getByRole('option', { name: /My trainer/ }).click()
  await expect(page.getByLabel('Disk (GB)')).toHaveValue('40')
}

async function addVariable(page: Page, row: number, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByLabel(`Name of variable ${row}`).fill(name)
  await page.getByLabel(`Value of variable ${row}`).fill(value)
}

async function addPort(
  page: Page,
  row: number,
  host: string,
  container: string,
  protocol?: 'UDP',
): Promise<void> {
  await page.getByRole('button', { name: 'Add a port' }).click()
  await page.getByLabel(`Host port ${row}`).fill(host)
  await page.getByLabel(`Container port ${row}`).fill(container)
  if (protocol === undefined) return
  await page.getByLabel(`Protocol of port ${row}`).click()
  await page.getByRole('option', { name: protocol }).click()
}

/** A script of that length which writes what it carries into the file `payload`. */
function longScript(length: number): { readonly script: string; readonly payload: string } {
  const [head, tail] = [`#!/bin/bash\nset -eu\ncat >payload <<'END'\n`, `\nEND\n`]
  const lines = Array.from(
    { length: 1000 },
    (_, index) => `step ${index % 37}: it's "done", $((${index % 11})) \\n`,
  )
  const payload = lines.join('\n').slice(0, length - head.length - tail.length)
  return { script: head + payload + tail, payload: `${payload}\n` }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'cdp.json')
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
}
