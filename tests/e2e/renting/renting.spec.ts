import { createHash } from 'node:crypto'
import { filesBelow } from '../../support/leaks.ts'
import {
  chooseOffer,
  connect,
  instanceRow,
  instancesOf,
  openTerminal,
  rentalsOf,
  screenText,
  type,
} from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import {
  addPort,
  addVariable,
  callWith,
  chooseTemplate,
  makeTemplate,
  openSheet,
} from '../support/rent-actions.ts'
import { expect, test, testWithoutAccount } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

const greeting = `it's "two" words for $HOME`

test('a template, ports, a value with quotes and a script of 20,000 characters arrive as they were', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await makeTemplate(service, { env: `-e GREETING=template -e KEPT='from the template' -p 8080:80` })
  await openSheet(page)
  await chooseTemplate(page)
  await addVariable(page, 1, 'GREETING', greeting)
  await addPort(page, 2, '9000-9001', '7000-7001')
  await addPort(page, 3, '5353', '53', 'UDP')
  const { script, payload } = longScript(20_000)
  await page.getByLabel('Start script').fill(script)
  await expect(page.getByText(/20,000 characters, sent compressed/)).toBeVisible()
  const gets = page.getByRole('group', { name: 'Request details' })
  await expect(gets).toContainText(greeting)
  await expect(gets).toContainText('merged')
  await page.getByRole('button', { name: 'Rent this machine' }).click()

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
  await openSheet(page)
  await chooseTemplate(page)
  await expect(page.getByText('This is the template’s script.')).toBeVisible()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await openTerminal(page)
  await type(page, 'cat made\n')
  await expect.poll(() => screenText(page)).toContain('made by the template')
})

test('flags that cannot be sent are named, and nothing is rented until they are gone', async ({ world }) => {
  const { service, app } = world
  const { page } = app
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

test('the instance’s own key is shown once, kept in the keychain, and nowhere else', async ({ world }) => {
  const { service, app, userData } = world
  const { page } = app
  await chooseOffer(page)
  await page.getByRole('switch', { name: 'Save the instance’s API key' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  const shown = page.getByRole('region', { name: /shows its API key only once/ })
  await expect(shown).toContainText('The keychain stores it')
  await shown.getByRole('button', { name: 'Reveal' }).click()
  await expect(shown.getByRole('button', { name: 'Hide' })).toBeVisible()
  const key = (await shown.locator('code').innerText()).trim()
  // It is the right one: it may destroy its instance, and nothing else.
  const [instance] = await instancesOf(service)
  expect((await callWith(key, service, 'GET', '/api/v0/instances/')).status).toBe(403)

  // What is shown once does not go away by a click beside it, or by Escape.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 300)
  await page.evaluate(() => (location.hash = '#/settings'))
  await expect(page).toHaveURL(/#\/offers/)
  await expect(shown).toBeVisible()
  await page.getByRole('button', { name: 'Show instances' }).click()
  await expect(instanceRow(page)).toBeVisible()
  // A sheet that closes takes a moment to leave.
  await expect.poll(() => page.content()).not.toContain(key)
  expect((await filesBelow(userData)).join('\n')).not.toContain(key)
  expect(app.logs()).not.toContain(key)
  expect((await callWith(key, service, 'DELETE', `/api/v0/instances/${instance?.id ?? 0}/`)).status).toBe(200)
})

test('axe finds nothing in the sheet, whatever is open in it; rows go and leave the focus near', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const check = (where: string) =>
    test.step(where, async () => expect.soft(await findings(page), where).toEqual([]))
  await makeTemplate(service, { env: '-e MODE=train', onstart: 'true\n', volume_info: {} })
  await openSheet(page)
  await page.getByLabel('Template').click()
  await expect(page.getByRole('option', { name: /My trainer/ })).toBeVisible()
  await check('the templates')
  await page.getByRole('option', { name: /My trainer/ }).click()
  await addVariable(page, 1, '-X', '')
  await addPort(page, 2, '90', '')
  await page.getByRole('radio', { name: 'Create a volume' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await check('errors')
  await expect(page.getByText('To show flags, fix the rows first.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove row 2' }).click()
  await expect(page.getByRole('button', { name: 'Remove row 1' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Add a variable' })).toBeFocused()
  await page.getByRole('radio', { name: 'No volume' }).click()
  await page.getByRole('button', { name: 'Flags' }).click()
  await page.getByLabel('Flags', { exact: true }).fill('-v /a:/b')
  await check('flags')
  await page.getByLabel('Flags', { exact: true }).fill('-e A=b')
  await page.getByRole('switch', { name: 'Save the instance’s API key' }).click()
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect(page.getByRole('region', { name: /shows its API key only once/ })).toBeFocused()
  await check('the instance’s own key')
})

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

testWithoutAccount(
  'a key that the account has is added to the machine all the same: the service may not install it',
  async ({ world }) => {
    const { service, app } = world
    const { page } = app
    const { key } = service.account('default', { isKeyInstalled: false })
    await connect(page, { ...service, key })
    await page.getByRole('button', { name: 'Create SSH key' }).click()
    service.twoFactor.happenTo(key, {
      ssh_key: await page.getByLabel('Public key', { exact: true }).innerText(),
    })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Check again' }).first().click()
    await page.getByRole('link', { name: 'Offers' }).click()
    await chooseOffer(page)
    await expect(page.getByText(/Your account has this key, but/)).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Add my SSH key to the machine' })).toBeChecked()
    await page.getByRole('button', { name: 'Rent this machine' }).click()
    await openTerminal(page)
  },
)
