import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { findings } from '../support/axe.ts'
import { preferencesOf, untilKept } from '../support/on-disk.ts'
import { makeTemplate } from '../support/rent-actions.ts'
import {
  lastFilters,
  namesInSight,
  openTemplate,
  openTemplates,
  templatesTable,
} from '../support/templates-actions.ts'
import { expect, test } from '../support/world-test.ts'

const exportedFile = z.object({ template: z.record(z.string(), z.unknown()) })

test('templates are searched by every field and operator, and looked at as offers are', async ({ world }) => {
  const { service } = world
  let { page } = world.app
  await makeTemplate(service, { name: 'My trainer' })
  await openTemplates(page)

  await test.step('ready searches', async () => {
    await expect.poll(() => lastFilters(service)).toEqual({ recommended: { eq: true } })
    await page.getByRole('button', { name: 'Mine', exact: true }).click()
    await expect.poll(() => namesInSight(page)).toEqual(['My trainer'])
    expect(lastFilters(service)).toEqual({ creator_id: { eq: expect.any(Number) } })
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect.poll(() => lastFilters(service)).toEqual({})
  })

  await test.step('the sixteen fields, and no other', async () => {
    await page.getByRole('combobox', { name: 'Add a filter' }).click()
    await expect(page.getByRole('option')).toHaveCount(16)
    await page.keyboard.press('Escape')
  })

  const conditions = [
    ['Name', 'name', 'is', 'eq', 'PyTorch nightly', 'PyTorch nightly'],
    ['Image', 'image', 'isn’t', 'neq', 'ubuntu', 'ubuntu'],
    ['Instances created', 'count_created', 'less than', 'lt', '500', 500],
    ['Disk', 'recommended_disk_space', 'at most', 'lte', '40', 40],
    ['Created', 'created_at', 'more than', 'gt', '2026-01-01', 1767225600],
    ['Template ID', 'id', 'at least', 'gte', '180001', 180_001],
    ['Tag', 'tag', 'one of', 'in', 'latest', ['latest']],
    ['Recommended', 'recommended', 'none of', 'notin', 'no', [true, false]],
  ] as const
  for (const [label, field, words, operator, typed, value] of conditions)
    await test.step(`${label} ${words}`, async () => {
      await page.getByRole('combobox', { name: 'Add a filter' }).click()
      await page.getByRole('option', { name: new RegExp(`^${label} ?${field}$`) }).click()
      await page.getByRole('combobox', { name: `Comparison of ${label}` }).click()
      await page.getByRole('option', { name: words, exact: true }).click()
      const row = page.getByRole('group', { name: `Filter: ${label}` })
      await row.getByLabel(`${label} ${words}`, { exact: true }).fill(typed)
      if (Array.isArray(value)) await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await expect.poll(() => lastFilters(service)).toEqual({ [field]: { [operator]: value } })
      await row.getByRole('button', { name: `Remove the filter ${label}` }).click()
    })

  await test.step('nothing fits, and the way out', async () => {
    await page.getByRole('combobox', { name: 'Add a filter' }).click()
    await page.getByRole('option', { name: /^Name/ }).click()
    await expect(page.getByRole('group', { name: 'Filter: Name' }).locator('input:focus')).toHaveCount(1)
    await page.keyboard.type('no such template')
    await page.keyboard.press('Enter')
    await expect(page.getByText('No matching templates')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect(templatesTable(page)).toBeVisible()
  })

  await test.step('dates are seen whole, in a wide and in a narrow window', async () => {
    const before = page.viewportSize() ?? { width: 1280, height: 800 }
    for (const width of [960, 1280, 1440]) {
      await page.setViewportSize({ ...before, width })
      // In a narrow one the table scrolls to them.
      if (width === 960)
        await templatesTable(page).evaluate((table) => table.parentElement?.scrollTo({ left: 10_000 }))
      const days = templatesTable(page).locator('td', { hasText: /^\s*\d{4}-\d\d-\d\d\s*$/ })
      await expect(days.first()).toBeInViewport()
      const cut = () =>
        days.evaluateAll((cells) =>
          cells
            .filter((cell) => {
              const actions = cell.parentElement?.lastElementChild?.getBoundingClientRect().left ?? 0
              return cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > actions + 1
            })
            .map((cell) => cell.textContent),
        )
      await expect.poll(cut).toEqual([])
      await page.screenshot({ path: test.info().outputPath(`templates-${width}.png`) })
    }
    await page.setViewportSize(before)
  })

  await test.step('text, order, columns and rows', async () => {
    await expect(page.getByText('Filters the loaded templates.')).toBeVisible()
    await page.getByLabel('Find in the table').fill('compiler nvidia')
    await expect.poll(() => namesInSight(page)).toEqual(['CUDA devel'])
    await page.getByLabel('Find in the table').fill('')
    const name = templatesTable(page).getByRole('columnheader', { name: /^Name/ })
    await name.getByRole('button').click()
    await expect(name).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(async () => (await namesInSight(page))[1]).toBe('AlphaFold')
    await name.getByRole('button').press('Alt+ArrowRight')
    await templatesTable(page).locator('tr[data-row="0"]').focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect(page.getByText('2 selected')).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Compare 2' }).click()
    await expect(page.getByRole('table', { name: 'Comparison' }).getByText('AlphaFold').first()).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  await test.step('the columns stay', async () => {
    await untilKept(preferencesOf(world.userData), /"templateView": \{\s*"columns": \[\s*"image",\s*"name"/)
    await world.app.close()
    page = (await world.startAgain()).page
    await openTemplates(page)
    const heads = async () =>
      (await templatesTable(page).getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
    await expect.poll(async () => (await heads()).slice(1, 3)).toEqual(['Image', 'Name'])
  })

  await test.step('the service is out of order, and then it is not', async () => {
    service.faults.add({ kind: '500', path: '/api/v0/template/', times: 20 })
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    service.faults.clear()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test('a template has a page, goes to the offers, and is exported, imported and compared without its token', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await makeTemplate(service, {
    name: 'My trainer',
    desc: 'Trains.',
    readme: '# Use\n\nRead [the docs](https://example.com/docs).',
    env: '-p 8080:80 -e MODE="two words" -e HF_TOKEN=canary-variable',
    onstart: 'echo ready',
    docker_login_repo: 'ghcr.io',
    docker_login_user: 'me',
    docker_login_pass: 'canary-registry-token',
    extra_filters: { gpu_ram: { gte: 24_000 }, verified: { eq: true } },
  })
  await openTemplate(page, 'My trainer')

  await test.step('all that it says', async () => {
    await expect(
      page.getByRole('region', { name: 'Readme' }).getByRole('heading', { name: 'Use' }),
    ).toBeVisible()
    const environment = page.getByRole('table', { name: 'Environment' })
    await expect(environment.getByRole('row', { name: /MODE two words/ })).toBeVisible()
    await expect(environment.getByRole('row', { name: /8080:80/ })).toBeVisible()
    await expect(environment).not.toContainText('canary-variable')
    await expect(page.getByText('Machines with VRAM at least 24 GB, verified.')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Machine filters' }).getByRole('row')).toHaveCount(3)
    await expect(page.getByText('ghcr.io', { exact: true })).toBeVisible()
    expect(await findings(page)).toEqual([])
  })

  await test.step('a link asks first', async () => {
    await page.getByRole('link', { name: 'the docs' }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Open this link?' })).toContainText(
      'https://example.com/docs',
    )
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  const json = await test.step('exported', async () => {
    await page.getByRole('button', { name: 'Export' }).click()
    const text = await page.getByRole('textbox', { name: 'The template as JSON' }).inputValue()
    const file = exportedFile.parse(JSON.parse(text))
    expect(file.template).toMatchObject({ name: 'My trainer', docker_login_user: 'me' })
    expect(text).not.toMatch(/canary-registry-token|docker_login_pass/)
    await page.getByRole('button', { name: 'Save as file' }).click()
    const told = page.getByText(/^Template saved as .*template-\d+\.json\.$/)
    await expect(told).toBeVisible()
    const name = /template-\d+\.json/.exec(await told.innerText())?.[0] ?? ''
    expect(await readFile(join(world.userData, 'saved-files', name), 'utf8')).toBe(text)
    await page.keyboard.press('Escape')
    return file.template
  })

  await test.step('compared with another', async () => {
    await page.getByRole('button', { name: 'Compare with another' }).click()
    await expect(page.getByLabel('Template to compare with')).toBeFocused()
    await page.keyboard.type('CUDA devel')
    await page.getByRole('option', { name: /^CUDA devel/ }).click()
    const comparison = page.getByRole('table', { name: 'Comparison' })
    await expect(comparison.getByRole('row', { name: /^Image .*team\/trainer.*nvidia\/cuda/ })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('rented with', async () => {
    await page.getByRole('button', { name: 'Rent with this' }).click()
    await expect(page.getByText('Choose an offer for “My trainer”.')).toBeVisible()
    await page
      .getByRole('button', { name: /^Rent offer/ })
      .first()
      .click()
    await expect(page.getByRole('combobox', { name: 'Template' })).toHaveValue('My trainer')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Rent without template' }).click()
    await expect(page.getByText('Choose an offer for')).toHaveCount(0)
  })

  await test.step('its machines are searched for', async () => {
    await openTemplate(page, 'My trainer')
    await page.getByRole('button', { name: 'Search offers with these filters' }).click()
    await expect(page.getByRole('group', { name: 'Filter: VRAM' })).toBeVisible()
    const asked = () => service.journal().findLast(({ path }) => path === '/api/v0/bundles/')?.body
    await expect.poll(asked).toMatchObject({ gpu_ram: { gte: 24_000 }, verified: { eq: true } })
  })

  await test.step('what cannot be imported says why, and a token is left out', async () => {
    await openTemplates(page)
    await page.getByRole('button', { name: 'Import' }).click()
    const field = page.getByLabel('Or paste JSON')
    await field.fill('{"name": 5}')
    await page.getByRole('button', { name: 'Open as draft' }).click()
    await expect(page.getByText('“name” is not what the service takes there.')).toBeVisible()
    await page.getByLabel('File with a template').setInputFiles({
      name: 'trainer.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ ...json, docker_login_pass: 'canary-import' })),
    })
    await expect(page.getByText('The registry token isn’t imported')).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Open as draft' }).click()
    await expect(page).toHaveURL(/\/templates\/new\?draft=/)
  })
  expect(service.journal().filter(({ method }) => method === 'PUT')).toEqual([])
  expect(await page.content()).not.toMatch(/canary-(registry-token|import)/)
  expect(app.logs()).not.toMatch(/canary-/)
})
