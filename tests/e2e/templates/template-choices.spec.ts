import { expect, type Page, test } from '@playwright/test'
import { z } from 'zod'
import type { Simulator } from '../../simulator/simulator.ts'
import { findings } from '../support/axe.ts'
import { callWith } from '../support/rent-actions.ts'
import { editTemplate, newTemplate, openTemplate, sentTemplates } from '../support/templates-actions.ts'
import { startWorld, type World } from '../support/world.ts'

/** What the service asks of a template, and no more: from the editor to the body that is sent. In one app. */

test.describe.configure({ mode: 'default' })

let world: World
let service: Simulator
let page: Page
/** What was sent in the test so far. */
let sent: (method: 'POST' | 'PUT' | 'DELETE') => readonly unknown[]

test.beforeAll(async () => {
  world = await startWorld({ account: 'connected' })
  service = world.service
  page = world.app.page
})
test.beforeEach(async () => {
  await page.getByRole('link', { name: /^Offers/ }).click()
  const before = {
    POST: sentTemplates(service, 'POST'),
    PUT: sentTemplates(service, 'PUT'),
    DELETE: sentTemplates(service, 'DELETE'),
  }
  sent = (method) => sentTemplates(service, method).slice(before[method].length)
})
test.afterAll(() => world.end())

test('a registry token is removed with the next save, or kept after all', async () => {
  const { id, hash_id: hash } = await made(service, {
    docker_login_user: 'robin',
    docker_login_pass: 'canary',
  })
  await editTemplate(page, id)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const token = page.getByLabel('Registry token', { exact: true })
  await page.getByRole('button', { name: 'Remove registry token' }).click()
  await expect(page.getByText('Saving removes the token from the template.')).toBeVisible()
  await expect(token).toHaveAccessibleDescription(/wants a token with the user/)
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Keep registry token' }).click()
  await expect(token).toHaveAccessibleDescription(/keeps the token that it has/)
  await expect(save).toBeDisabled()
  await page.getByRole('button', { name: 'Remove registry token' }).click()
  await save.click()
  const changes = page.getByRole('dialog', { name: 'Review changes' })
  await expect(changes.getByRole('region', { name: 'Registry token' })).toContainText(
    'Saving removes the token',
  )
  expect(await findings(page)).toEqual([])
  await sendChanges(page)
  expect(sent('PUT')).toEqual([{ hash_id: hash, docker_login_pass: '' }])
})

test('a user without a token and a token without a user are saved, with a hint', async () => {
  const token = page.getByLabel('Registry token', { exact: true })
  await newTemplate(page)
  await fillNameAndImage(page, 'User only')
  await page.getByLabel('Registry user').fill('robin')
  await expect(token).toHaveAccessibleDescription(/wants a token with the user/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'User only', exact: true })).toBeVisible()

  await page.getByRole('main').getByRole('link', { name: 'Templates' }).click()
  await newTemplate(page)
  await fillNameAndImage(page, 'Token only')
  await token.fill('canary-of-the-registry')
  await token.press('Enter')
  await expect(page.getByText('holds it only in memory until then')).toBeVisible()
  await expect(token).toHaveAccessibleDescription(/wants a user with the token/)
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Token only', exact: true })).toBeVisible()
  expect(sent('POST')).toMatchObject([
    { name: 'User only', docker_login_user: 'robin', docker_login_pass: '' },
    // The simulator's journal keeps no secret.
    { name: 'Token only', docker_login_user: '', docker_login_pass: '***' },
  ])
})

test('SSH access and a direct SSH connection are switched under every run type', async () => {
  await newTemplate(page)
  await fillNameAndImage(page, 'SSH with any')
  await page.getByRole('switch', { name: 'SSH access' }).click()
  await page.getByRole('switch', { name: 'Direct SSH connection' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'SSH with any', exact: true })).toBeVisible()
  expect(sent('POST')).toMatchObject([{ runtype: 'args', use_ssh: true, ssh_direct: true }])
  const edits = [
    ['Arguments', 'SSH access', { use_ssh: false }],
    ['Notebook', 'Direct SSH connection', { runtype: 'jupyter', ssh_direct: false }],
    // The run type begins with both.
    ['SSH', 'SSH access', { runtype: 'ssh', ssh_direct: true }],
  ] as const
  const id = Number(/\d+$/.exec(page.url())?.[0])
  for (const [runtype, name, changed] of edits) {
    await editTemplate(page, id)
    await page.getByRole('radio', { name: runtype }).click()
    await page.getByRole('switch', { name }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await sendChanges(page)
    expect(sent('PUT').at(-1)).toEqual({ hash_id: expect.any(String), ...changed })
  }
})

test('flags other than -e and -p are kept as they are written, and can be saved', async () => {
  const { id, hash_id: hash } = await made(service, { env: `-e A=1 --shm-size '1 g' --gpus=all` })
  await editTemplate(page, id)
  await page.getByLabel('Value of variable 1').fill('2')
  await expect(page.getByText(`--shm-size '1 g'`)).toBeVisible()
  await expect(page.getByText('It saves other flags unchanged')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await sendChanges(page)
  expect(sent('PUT')).toEqual([{ hash_id: hash, env: `-e A=2 --shm-size '1 g' --gpus=all` }])

  await editTemplate(page, id)
  await page.getByRole('button', { name: 'Flags' }).click()
  await page.getByLabel('Flags', { exact: true }).fill('--ulimit nofile=1024 -p 8080:80')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await sendChanges(page)
  expect(sent('PUT').at(-1)).toMatchObject({ env: '--ulimit nofile=1024 -p 8080:80' })
})

test('what is found under Mine is edited and deleted, also when no reply names its creator', async () => {
  const { id, hash_id: hash } = await made(service, {})
  const path = '/api/v0/template/'
  service.faults.add({ kind: 'missing-fields', path, fields: ['creator_id'], times: 1000 })
  const actions = page.getByRole('group', { name: 'What can be done' })
  await openTemplate(page, 'vLLM')
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(actions.getByRole('button', { name: 'Duplicate' })).toBeVisible()
  await expect(actions.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await expect(actions.getByRole('button', { name: 'Delete' })).toHaveCount(0)

  await page.getByRole('main').getByRole('link', { name: 'Templates' }).click()
  await page.getByLabel('Find in the table').fill('')
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await page.getByRole('button', { name: `Open template ${id}, Mine to change` }).click()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(actions.getByRole('button', { name: 'Delete' })).toBeVisible()
  await actions.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Tag').fill('v2')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await sendChanges(page)
  expect(sent('PUT')).toEqual([{ hash_id: hash, tag: 'v2' }])
  await actions.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: /^Delete/ })
  await dialog.getByLabel('Type the template id').fill(String(id))
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => sent('DELETE')).toEqual([{ template_id: id }])
})

async function fillNameAndImage(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Image', { exact: true }).fill('team/trainer')
}

/** Sends what the editor shows as the difference, and waits for the template's page. */
async function sendChanges(page: Page): Promise<void> {
  const changes = page.getByRole('dialog', { name: 'Review changes' })
  await changes.getByRole('button', { name: 'Save changes' }).click()
  await expect(changes).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'What can be done' })).toBeVisible()
}

const reply = z.object({ template: z.object({ id: z.int(), hash_id: z.string() }) })

/** A template of the account, made past the window. */
async function made(service: Simulator, fields: object) {
  const required = { docker_login_repo: '', docker_login_user: '', docker_login_pass: '' }
  const body = { name: 'Mine to change', image: 'ubuntu', ...required, ...fields }
  const answer = await callWith(service.key, service, 'POST', '/api/v0/template/', body)
  return reply.parse(await answer.json()).template
}
