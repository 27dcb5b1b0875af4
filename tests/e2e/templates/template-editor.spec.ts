import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Simulator } from '../../simulator/simulator.ts'
import { filesBelow } from '../../support/leaks.ts'
import { accountFolder, rentalsOf } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { editTemplate, newTemplate, sentTemplates } from '../support/templates-actions.ts'
import { textsInMemory } from '../support/page-memory.ts'
import { callWith, openSheet } from '../support/rent-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

const token = 'canary-of-the-registry-5b1e'

/** What is wrong with a field, and what is then said at it. */
const wrongFields = [
  ['Name', ' ', /Enter a name/],
  ['Image', '', /Enter a container image/],
  ['Disk (GB)', '0', /Enter a size above 0 GB/],
  ['More filters as JSON', '{', /Invalid JSON/],
  ['Volume hint', '[1]', /Enter a JSON object/],
] as const

test('a template is written, edited, followed into a rental, merged, deleted and created again', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await newTemplate(page)
  for (const [label, typed] of wrongFields) await page.getByLabel(label, { exact: true }).fill(typed)
  await page.getByLabel('Registry user').fill('robin')
  await page.getByRole('button', { name: 'Flags' }).click()
  await page.getByLabel('Flags', { exact: true }).fill('-p 80')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  for (const [label, , message] of wrongFields) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(message)
  }
  const registryToken = page.getByLabel('Registry token', { exact: true })
  await expect(registryToken).toHaveAccessibleDescription(/wants a token with the user/)
  await expect(page.getByLabel('Flags', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('alert').filter({ hasText: '-p 80' })).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  expect(sentTemplates(service, 'POST')).toEqual([])
  await page.getByLabel('Disk (GB)', { exact: true }).fill('8')
  for (const label of ['More filters as JSON', 'Volume hint', 'Flags'])
    await page.getByLabel(label, { exact: true }).fill('')
  await page.getByLabel('Name', { exact: true }).fill('Robin’s trainer')
  await page.getByLabel('Image', { exact: true }).fill('team/trainer')
  await expect(page.getByLabel('Arguments', { exact: true }).last()).toBeVisible()
  await page.getByRole('radio', { name: 'SSH' }).click()
  await expect(page.getByRole('switch', { name: 'Direct SSH connection' })).toBeChecked()
  await registryToken.fill(token)
  await registryToken.press('Enter')
  await expect(page.getByText('holds it only in memory until then')).toBeVisible()
  await expect(registryToken).toHaveValue('')
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Robin’s trainer', exact: true })).toBeVisible()
  expect(sentTemplates(service, 'POST')).toMatchObject([
    { ssh_direct: true, use_ssh: true, docker_login_repo: '' },
  ])
  const made = await own(service)
  await expect.poll(() => page.content()).not.toContain(token)
  const isRemembered = async () => (await textsInMemory(page)).some((text) => text.includes(token))
  await expect.poll(isRemembered, { timeout: 60_000 }).toBe(false)

  // Asked for by its hash id before the edit, and in the same row after it.
  await page.getByRole('main').getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('button', { name: 'Remove the filter Recommended' }).click()
  await page.getByRole('combobox', { name: 'Add a filter' }).click()
  await page.getByRole('option', { name: /^Hash ID/ }).click()
  const hashRow = page
    .getByRole('group', { name: 'Filter: Hash ID' })
    .getByLabel('Hash ID is', { exact: true })
  await hashRow.fill(made.hash_id)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText(/^1 template,/)).toBeVisible()

  // Chosen before the edit, rented after it.
  await page.getByRole('link', { name: 'Offers' }).click()
  await openSheet(page)
  await page.getByLabel('Template').click()
  await page.getByRole('option', { name: /Robin’s trainer/ }).click()
  await expect(page.getByRole('combobox', { name: 'Template' })).toHaveValue('Robin’s trainer')
  await expect(page.getByRole('option', { name: /Robin’s trainer/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await editTemplate(page, made.id)
  await page.getByLabel('Tag').fill('v2')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const changes = page.getByRole('dialog', { name: 'Review changes' })
  await expect(changes.getByRole('region')).toHaveText(/latest.*v2/)
  expect(sentTemplates(service, 'PUT')).toEqual([])
  expect(await findings(page)).toEqual([])
  await changes.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'Robin’s trainer', exact: true })).toBeVisible()
  expect(sentTemplates(service, 'PUT')).toEqual([{ hash_id: made.hash_id, tag: 'v2' }])
  const edited = await own(service)
  expect(edited.hash_id).not.toBe(made.hash_id)
  await page.getByRole('main').getByRole('link', { name: 'Templates' }).click()
  await expect(hashRow).toHaveValue(edited.hash_id)
  await expect(page.getByText(/^1 template,/)).toBeVisible()
  await page.getByRole('link', { name: 'Offers' }).click()
  await openSheet(page)
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await expect.poll(() => rentalsOf(service).length).toBe(1)
  expect(rentalsOf(service)[0]?.body).toMatchObject({ template_hash_id: edited.hash_id })
  // The sheet lets nobody leave before the service has answered, and leads here by itself.
  await expect(page).toHaveURL(/#\/instances$/)

  // Somebody else edits it meanwhile.
  await editTemplate(page, made.id)
  await page.getByLabel('Description').fill('mine')
  await callWith(service.key, service, 'PUT', '/api/v0/template/', {
    hash_id: edited.hash_id,
    desc: 'theirs',
    private: true,
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await changes.getByRole('button', { name: 'Save changes' }).click()
  const conflict = page.getByRole('dialog', { name: 'This template was edited elsewhere' })
  await expect(conflict).toContainText('Changed only in the other edit: Private')
  await expect(conflict.getByLabel('Keep mine')).toBeChecked()
  expect(await findings(page)).toEqual([])
  await conflict.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByRole('switch', { name: 'Private' })).toBeChecked()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await changes.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'Robin’s trainer', exact: true })).toBeVisible()
  expect(sentTemplates(service, 'PUT').at(-1)).toMatchObject({ desc: 'mine' })
  expect(await own(service)).toMatchObject({ desc: 'mine', private: true, tag: 'v2' })

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Delete/ })
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await dialog.getByLabel('Type the template id').fill(String(made.id))
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => sentTemplates(service, 'DELETE')).toEqual([{ template_id: made.id }])
  // Nobody but the service had its token, so the editor asks for it.
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Create Robin’s trainer again' })).toBeVisible()
  await registryToken.fill(token)
  await registryToken.press('Enter')
  await expect(page.getByText('holds it only in memory until then')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Robin’s trainer', exact: true })).toBeVisible()
  expect(await own(service)).toMatchObject({ desc: 'mine', private: true, tag: 'v2' })
})

test('a draft survives a crash, and its token is on no disk', async ({ world }) => {
  const { app, userData } = world
  await newTemplate(app.page)
  await app.page.getByLabel('Name', { exact: true }).fill('Half done')
  await app.page.getByLabel('Registry user').fill('robin')
  await app.page.getByLabel('Registry token', { exact: true }).fill(token)
  await app.page.getByLabel('Registry token', { exact: true }).press('Enter')
  await expect(app.page.getByText('holds it only in memory until then')).toBeVisible()
  await app.page.getByRole('button', { name: 'Add a variable' }).click()
  await app.page.getByLabel('Value of variable 1').fill('no name yet')
  const drafts = join(await accountFolder(userData), 'template-drafts.json')
  await expect.poll(() => readFile(drafts, 'utf8').catch(() => '')).toContain('no name yet')
  await app.kill()
  expect((await filesBelow(userData)).join('\n')).not.toContain(token)

  const { page } = await world.startAgain()
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('button', { name: 'Drafts (1)' }).click()
  await expect(page.getByText('Needs its token')).toBeVisible()
  await page.getByRole('link', { name: 'Continue: Half done' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half done')
  await expect(page.getByLabel('Value of variable 1')).toHaveValue('no name yet')
  await expect(page.getByText('enter it again')).toBeVisible()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(page.getByRole('button', { name: 'New template' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Drafts/ })).toHaveCount(0)
})

interface OwnTemplate {
  readonly id: number
  readonly hash_id: string
}

/** The account's only template, as the service has it. */
async function own(service: Simulator): Promise<OwnTemplate> {
  const filters = encodeURIComponent(JSON.stringify({ name: { eq: 'Robin’s trainer' } }))
  const reply = await callWith(service.key, service, 'GET', `/api/v0/template/?select_filters=${filters}`)
  const { templates } = (await reply.json()) as { templates: OwnTemplate[] }
  const [only] = templates
  if (only === undefined || templates.length > 1) throw new Error(`${templates.length} templates`)
  return only
}
