import type { Locator, Page } from '@playwright/test'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** A project's folder, which the system's dialog gives. */
async function project(world: World, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(world.userData, 'chosen-files', 'project')
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** What came back under a name, of the only job. */
async function output(folder: string, name: string): Promise<string> {
  const outputs = join(folder, 'slipway-outputs')
  const [run = ''] = await readdir(outputs)
  return (await readFile(join(outputs, run, name), 'utf8')).trim()
}

const form = (page: Page): Locator => page.getByRole('dialog', { name: 'New job' })

async function rentOne(page: Page): Promise<void> {
  await rent(page)
  await untilRunning(page)
}

/** On the page of instances: the form for a job on the only one. */
async function newJobThere(page: Page): Promise<void> {
  await instanceRow(page)
    .getByText(/^running$/i)
    .click()
  await page.getByRole('button', { name: 'Run a job…' }).click()
  await expect(form(page)).toBeVisible()
}

async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  await form(page).getByRole('button', { name: 'Choose folder…' }).click()
  await expect(form(page).getByText(/project$/)).toBeVisible()
  for (const [label, text] of Object.entries(fields)) await form(page).getByLabel(label).fill(text)
}

test('a folder goes to an instance, its command runs there, and the outputs come back', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  const folder = await project(world, {
    'in.txt': 'seven\n',
    'skipped.log': 'no\n',
    '.gitignore': '*.log\n',
  })
  await page.getByRole('link', { name: /^Jobs/ }).click()
  await expect(page.getByText('No jobs yet')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByRole('link', { name: /^Offers/ }).click()
  await rentOne(page)
  await newJobThere(page)
  await expect(form(page).getByRole('combobox', { name: 'Instance' })).toContainText(/\d/)
  await fillIn(page, {
    Name: 'Count',
    Command: 'ls; mkdir -p out; wc -c < in.txt > out/count.txt; for n in 1 2 3; do echo "line $n"; done',
    Outputs: 'out/',
  })
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: 'out/job-form.png' })
  await form(page).getByRole('button', { name: 'Start job' }).click()

  // Its question is over the page, maybe at once.
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect(page.getByRole('heading', { name: 'Count', level: 1 })).toBeVisible()
  await expect(page.getByText('Finished, exit code 0').first()).toBeVisible({ timeout: 60_000 })
  const log = page.getByRole('log', { name: 'Output of the command' })
  await expect(log).toContainText('line 3')
  await expect(log).toContainText('in.txt')
  await expect(log).not.toContainText('skipped.log')
  await expect(page.getByText(/^1 file, /).first()).toBeVisible()
  expect(await output(folder, 'out/count.txt')).toBe('6')
  await expect(page.getByText('was kept: you’re charged')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: 'out/job-page.png' })

  await test.step('the log is searched, and saved', async () => {
    await page.getByLabel('Search the log').fill('LINE 2')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Found lines' }).getByRole('button', { name: 'line 2' }).click()
    await expect(page.getByText('1 line found.')).toBeVisible()
    await page.getByRole('button', { name: 'Close the results' }).click()
    await page.getByRole('button', { name: 'Save log…' }).click()
    await expect(page.getByText(/^Saved as /)).toBeVisible()
  })

  await test.step('its definition replaces that of the folder after a question, but for how to rent', async () => {
    const limits = { machines: 2, capPerHourUsd: 0.5, bootMinutes: 5, giveUpAfterMinutes: 60 }
    const rent = { search: { filters: {} }, diskGb: 33, limits }
    const path = join(folder, 'slipway.json')
    await writeFile(path, JSON.stringify({ version: 1, name: 'Older', command: 'true', rent }))
    await page.getByRole('button', { name: 'Save definition…' }).click()
    await page.getByRole('button', { name: 'Replace file' }).click()
    await expect.poll(() => readFile(path, 'utf8')).toContain('"Count"')
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ rent: { diskGb: 33, limits } })
  })

  await test.step('it runs once more after a question that says where, for how much, and what then', async () => {
    const first = page.url()
    await page.getByRole('button', { name: 'Repeat job…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Repeat “Count”?' })
    await expect(dialog).toContainText(/again on .*You’re charged \$[\d.]+\/h for this instance/)
    await expect(dialog).toContainText('Keep instance.')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath('repeat.png') })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(page.url()).toBe(first)
    await page.getByRole('button', { name: 'Repeat job…' }).click()
    await dialog.getByRole('button', { name: 'Start job' }).click()
    await expect.poll(() => page.url()).not.toBe(first)
    await expect(page.getByText('Finished, exit code 0').first()).toBeVisible({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Remove from list…' }).click()
    await page.getByRole('button', { name: 'Remove from list', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible()
  })

  await test.step('the list tells how it ended, and it leaves by a question', async () => {
    await page.getByRole('link', { name: 'Jobs', exact: true }).first().click()
    const row = page.getByRole('table', { name: 'Jobs' }).getByRole('row').nth(1)
    await expect(row).toContainText('Finished, exit code 0')
    await expect(row).toContainText('1 file')
    expect(await findings(page)).toEqual([])
    await row.getByRole('button', { name: /^Remove Count/ }).click()
    await page.getByRole('button', { name: 'Remove from list', exact: true }).click()
    await expect(page.getByText('No jobs yet')).toBeVisible()
    expect(await output(folder, 'out/count.txt')).toBe('6')
  })
  expect(await instancesOf(service)).toHaveLength(1)
})

test('a running job goes on through a restart, is canceled, and its instance is destroyed once its outputs are here', async ({
  world,
}) => {
  const { service } = world
  let { page } = world.app
  const folder = await project(world, { 'a.txt': 'a' })
  await rentOne(page)
  await newJobThere(page)
  await fillIn(page, {
    Name: 'Long',
    Command: 'echo begun; echo part > part.txt; sleep 300; echo never',
    Outputs: 'part.txt',
  })
  await form(page).getByText('Destroy instance').click()
  await form(page).getByRole('button', { name: 'Start job' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  const log = () => page.getByRole('log', { name: 'Output of the command' })
  await expect(log()).toContainText('begun', { timeout: 60_000 })
  await world.app.close()

  ;({ page } = await world.startAgain())
  await expect(page.getByRole('link', { name: /^Jobs/ })).toHaveAccessibleDescription('1 not finished')
  await page.getByRole('link', { name: /^Jobs/ }).click()
  await page.getByRole('link', { name: 'Long' }).click()
  await expect(log()).toContainText('begun')
  await expect(page.getByText(/^Running, /).first()).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Cancel job…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Cancel “Long”/ })
  await expect(dialog.getByRole('radio', { name: 'Destroy instance' })).toBeChecked()
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel job', exact: true }).click()
  await expect(page.locator('p', { hasText: 'You canceled this job' })).toBeVisible({ timeout: 90_000 })
  expect(await output(folder, 'part.txt')).toBe('part')
  await expect.poll(() => instancesOf(service)).toHaveLength(0)
  await expect(log()).not.toContainText('never')
  await page.getByRole('button', { name: 'Repeat job…' }).click()
  const again = page.getByRole('dialog', { name: 'Repeat “Long”?' })
  await expect(again).toContainText('isn’t running')
  await expect(again.getByRole('button', { name: 'Start job' })).toBeDisabled()
})

test('what is wrong stands at its field, by keyboard alone; what can’t be used of a file changes nothing', async ({
  world,
}) => {
  const { page } = world.app
  const folder = await project(world, { 'slipway.json': '{ "version": 1, "name": 7 }' })
  await page.keyboard.press('Alt+8')
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('new job')
  await expect(page.getByRole('option').first()).toContainText('New job')
  await page.keyboard.press('Enter')
  const choose = form(page).getByRole('button', { name: 'Choose folder…' })
  await expect(choose).toBeFocused()
  await form(page).getByLabel('Name').fill('Mine')
  await form(page).getByRole('button', { name: 'Start job' }).press('Enter')
  await expect(choose).toBeFocused()
  for (const text of ['Choose the project’s folder.', 'Enter a command.', /^Choose a running instance/])
    await expect(form(page).getByText(text)).toBeVisible()
  await choose.press('Enter')
  await expect(form(page).getByText(/Field: name\./)).toBeVisible()
  await expect(form(page).getByLabel('Name')).toHaveValue('Mine')
  await form(page).getByRole('radio', { name: 'Rent one for this job' }).click()
  await form(page).getByLabel('Outputs').fill('out/\n../secrets')
  await expect(form(page).getByText(/^“\.\.\/secrets”: /)).toBeVisible()
  await expect(form(page).getByText('Enter the highest price.')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: 'out/job-errors.png' })

  await rm(join(folder, 'slipway.json'))
  await form(page).getByLabel('Command').fill('true')
  await form(page).getByLabel('Outputs').fill('out/')
  await form(page).getByRole('button', { name: 'Save definition…' }).click()
  await expect.poll(() => readFile(join(folder, 'slipway.json'), 'utf8').catch(() => '')).toContain('"Mine"')
  await page.keyboard.press('Escape')
  await expect(form(page)).toHaveCount(0)
  // What was typed stays.
  await page.getByRole('button', { name: 'New job' }).first().click()
  const name = form(page).getByLabel('Name')
  await expect(name).toHaveValue('Mine')

  await test.step('a link to a folder asks, and once more before what was typed is lost', async () => {
    const linked = { version: 1, name: 'Linked', command: 'make', then: 'destroy' }
    await writeFile(join(folder, 'slipway.json'), JSON.stringify(linked))
    await world.app.startSecond(`slipway://job?folder=${encodeURIComponent(folder)}`)
    await page.getByRole('button', { name: 'Open definition' }).click()
    const question = page.getByRole('dialog', { name: 'Replace what you entered?' })
    await expect(question).toContainText('“Linked” fills in the whole form')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath('replace.png') })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(name).toHaveValue('Mine')
    await world.app.startSecond(`slipway://job?folder=${encodeURIComponent(folder)}`)
    await page.getByRole('button', { name: 'Open definition' }).click()
    await question.getByRole('button', { name: 'Fill in form' }).click()
    await expect(name).toHaveValue('Linked')
    await expect(form(page).getByLabel('Outputs')).toHaveValue('')
    await expect(form(page).getByText('asks Slipway to destroy the instance')).toBeVisible()
    await expect(form(page).getByRole('radio', { name: 'Destroy instance' })).toBeChecked()
  })

  await test.step('a definition that is dropped fills it in anew, and starts nothing', async () => {
    const dropped = await page.evaluateHandle(
      (text) => {
        const data = new DataTransfer()
        data.items.add(new File([text], 'slipway.json', { type: 'application/json' }))
        return data
      },
      JSON.stringify({ version: 1, name: 'Dropped', command: 'true' }),
    )
    const target = form(page).locator('form')
    for (const kind of ['dragenter', 'dragover', 'drop'])
      await target.dispatchEvent(kind, { dataTransfer: dropped })
    await expect(name).toHaveValue('Dropped')
    await expect(form(page).getByRole('radio', { name: 'Keep instance' })).toBeChecked()
    // Of a file that was dropped nobody knows the folder.
    await expect(form(page).getByText(folder)).toHaveCount(0)
    await form(page).getByRole('button', { name: 'Start job' }).click()
    await expect(form(page).getByText('Choose the project’s folder.')).toBeVisible()
  })
})
