import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { openMenu } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { openEntry, openFiles, rentMachine, showFiles } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

const namesIn = (pane: Locator): Locator => pane.locator('tr[data-row] td:nth-child(2)')
const rowIn = (pane: Locator, name: string): Locator =>
  pane.getByRole('row').filter({ has: pane.page().getByText(name, { exact: true }) })

test('a pane is sorted, filtered, and gone through like a file manager’s, by mouse and by keyboard', async ({
  world,
}) => {
  const { page } = world.app
  const machine = await rentMachine(page, world.service)
  const top = join(machine.home, 'top')
  await mkdir(join(top, 'runs', 'deep'), { recursive: true })
  await writeFile(join(top, 'runs', 'deep', 'log'), 'x'.repeat(1_500))
  await writeFile(join(top, 'runs', 'log'), 'x'.repeat(500))
  await mkdir(join(top, 'archive'))
  const old = new Date('2020-01-02T03:04:05Z')
  for (const [name, size] of [
    ['a10.csv', 30],
    ['a9.csv', 20],
    ['model.bin', 9_000],
    ['.hidden', 1],
  ] as const)
    await writeFile(join(top, name), 'x'.repeat(size))
  await writeFile(join(top, 'first.txt'), '')
  await utimes(join(top, 'first.txt'), old, old)
  const { here, there } = await openFiles(page)
  await openEntry(there, 'top')
  const names = namesIn(there)
  const inOrder = ['archive', 'runs', '.hidden', 'a9.csv', 'a10.csv', 'first.txt', 'model.bin']

  await test.step('columns sort, folders first', async () => {
    await expect(names).toHaveText(inOrder)
    const head = (name: string) => there.getByRole('columnheader', { name })
    await expect(head('Name')).toHaveAttribute('aria-sort', 'ascending')
    await head('Name').getByRole('button').click()
    await expect(head('Name')).toHaveAttribute('aria-sort', 'descending')
    await expect(names.first()).toHaveText('runs')
    await head('Size').getByRole('button').click()
    await expect(names).toHaveText([
      'archive',
      'runs',
      'first.txt',
      '.hidden',
      'a9.csv',
      'a10.csv',
      'model.bin',
    ])
    await head('Changed').getByRole('button').click()
    await expect(names.nth(2)).toHaveText('first.txt')
    await head('Name').getByRole('button').click()
    await expect(names).toHaveText(inOrder)
  })

  await test.step('owner and mode stand in a wide window', async () => {
    await page.setViewportSize({ width: 1700, height: 900 })
    await expect(rowIn(there, 'model.bin')).toContainText('rw-r--r--')
    await expect(rowIn(there, 'archive').getByTitle('0755')).toBeVisible()
    await page.screenshot({ path: 'out/files-wide.png' })
    await page.setViewportSize({ width: 960, height: 600 })
    await expect(rowIn(there, 'model.bin').getByText('rw-r--r--')).toBeHidden()
    await page.screenshot({ path: 'out/files-narrow.png' })
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  await test.step('a filter leaves what contains it, says how much, and deselects the rest', async () => {
    await rowIn(there, 'model.bin').click()
    const filter = there.getByRole('textbox', { name: 'Filter' })
    await filter.fill('CSV')
    await expect(names).toHaveText(['a9.csv', 'a10.csv'])
    await expect(there.getByText('2 of 7', { exact: true })).toBeVisible()
    await expect(there.getByText('Select to rename or delete')).toBeVisible()
    await filter.fill('nothing like it')
    await expect(there.getByText(/^No names contain “nothing like it”/)).toBeVisible()
    expect(await findings(page)).toEqual([])
    await filter.press('Escape')
    await expect(names).toHaveCount(7)
  })

  await test.step('hidden files are shown or not, on both sides, and that stays', async () => {
    await there.getByRole('button', { name: /^Show hidden files/ }).click()
    await expect(names).toHaveText(inOrder.filter((name) => name !== '.hidden'))
    await expect(there.getByRole('status').filter({ hasText: '1 hidden' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show hidden files, This computer' })).toHaveAttribute(
      'aria-pressed',
      'false',
    )
  })

  await test.step('keys go through the list, select, and jump to what is typed', async () => {
    await names.first().click()
    const row = (name: string): Locator => rowIn(there, name)
    await page.keyboard.press('End')
    await expect(row('model.bin')).toBeFocused()
    await page.keyboard.press('Home')
    await expect(row('archive')).toBeFocused()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(there.getByText('3 selected')).toBeVisible()
    await page.keyboard.press('Space')
    await expect(there.getByText('2 selected')).toBeVisible()
    await page.keyboard.press('Home')
    await page.keyboard.press('ControlOrMeta+ArrowDown')
    await expect(row('runs')).toBeFocused()
    await expect(row('archive')).toHaveAttribute('aria-selected', 'true')
    await expect(there.getByText('1 selected')).toBeVisible()
    for (const [key, count] of [
      ['Shift+End', 6],
      ['Shift+ArrowUp', 5],
      ['Shift+Home', 1],
    ] as const) {
      await page.keyboard.press(key)
      await expect(there.getByText(`${count} selected`)).toBeVisible()
    }
    await page.keyboard.press('ArrowDown')
    await expect(row('runs')).toHaveAttribute('aria-selected', 'true')
    await expect(there.getByText('1 selected')).toBeVisible()
    await page.keyboard.press('Escape')
    await row('a10.csv').click({ modifiers: ['Shift'] })
    await expect(there.getByText('3 selected')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+a')
    await expect(there.getByText('6 selected')).toBeVisible()
    await page.keyboard.press('Escape')
    // What was typed a second ago is forgotten.
    await expect(async () => {
      await page.keyboard.press('Escape')
      await page.waitForTimeout(1_100)
      await page.keyboard.type('a1')
      await expect(row('a10.csv')).toBeFocused({ timeout: 1_000 })
    }).toPass()
    await expect(row('a10.csv')).toHaveAttribute('aria-selected', 'true')
    await row('runs').click()
    await row('model.bin').click({ modifiers: ['Shift'] })
    await expect(there.getByText('5 selected')).toBeVisible()
    await row('first.txt').click({ modifiers: ['ControlOrMeta'] })
    await expect(there.getByText('4 selected')).toBeVisible()
    await page.keyboard.press('Escape')

    await row('runs').focus()
    await page.keyboard.press('Enter')
    await expect(row('deep')).toBeFocused()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(row('runs')).toBeFocused()
    await page.keyboard.press('Alt+ArrowRight')
    await expect(row('deep')).toBeFocused()
    await page.keyboard.press('Backspace')
    await expect(row('runs')).toBeFocused()
    await page.keyboard.press('F6')
    await expect(page.locator('section[aria-label="This computer"] :focus')).toHaveCount(1)
    await page.keyboard.press('F6')
    await expect(row('runs')).toBeFocused()
  })

  await test.step('the menu has what can be done, also by keys, and folders are counted', async () => {
    await rowIn(there, 'runs').focus()
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu')
    await expect(menu.getByRole('menuitem')).toHaveText([
      /^Open/,
      /^Open with my editor/,
      /^Download/,
      /^Rename/,
      /^New folder…/,
      /^Copy path/,
      /^Calculate size/,
      /^Delete…/,
    ])
    await page.screenshot({ path: 'out/files-menu.png' })
    expect(await findings(page)).toEqual([])
    await menu.getByRole('menuitem', { name: /^Calculate size/ }).click()
    await expect(rowIn(there, 'runs')).toContainText('2 kB')
    await expect(there.getByText('runs: 2 kB in 2 files and 1 folder.')).toBeVisible()
    await expect(rowIn(there, 'runs')).toBeFocused()
    await openMenu(rowIn(there, 'first.txt'))
    await menu.getByRole('menuitem', { name: /^Rename/ }).click()
    const naming = there.getByLabel('New name of first.txt')
    await expect(naming).toBeFocused()
    // Keys of a word that's being composed.
    for (const key of ['Enter', 'Escape'])
      await naming.dispatchEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true })
    await expect(naming).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(rowIn(there, 'first.txt')).toBeFocused()
    await there
      .getByRole('group', { name: /^Files/ })
      .click({ button: 'right', position: { x: 200, y: 320 } })
    await menu.getByRole('menuitem', { name: /^Select all/ }).click()
    await expect(there.getByText('6 selected')).toBeVisible()
  })

  await test.step('F5 copies to the other side the row that arrows went to', async () => {
    await page.keyboard.press('Escape')
    await rowIn(there, 'runs').click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('F5')
    await expect(page.getByRole('region', { name: 'Transfers' })).toContainText('Done')
    await expect(here.getByText('a9.csv')).toBeVisible()
    await expect(here.getByText('runs', { exact: true })).toBeHidden()
  })

  await test.step('the menu acts on the file that it names, also when it opens on it once more', async () => {
    await openMenu(rowIn(there, 'first.txt'))
    await page.keyboard.press('Escape')
    await rowIn(there, 'model.bin').click()
    await openMenu(rowIn(there, 'first.txt'))
    const menu = page.getByRole('menu')
    await expect(menu.getByText('first.txt')).toBeVisible()
    await menu.getByRole('menuitem', { name: /^Download/ }).click()
    await expect(here.getByText('first.txt')).toBeVisible()
    await expect(here.getByText('model.bin')).toBeHidden()
  })
})

test('bookmarks, hidden files, and the folder that was shown last are there after a restart', async ({
  world,
}) => {
  let { page } = world.app
  const machine = await rentMachine(page, world.service)
  await mkdir(join(machine.home, 'data', 'gone'), { recursive: true })
  await writeFile(join(machine.home, 'data', 'kept.txt'), 'kept')
  let { here, there } = await openFiles(page)
  await here.getByRole('button', { name: /^Show hidden files/ }).click()
  await openEntry(there, 'data')
  await expect(there.getByText('kept.txt')).toBeVisible()
  await there.getByRole('button', { name: 'Bookmark, The instance' }).click()
  await expect(there.getByRole('button', { name: 'Bookmark, The instance' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await openEntry(there, 'gone')
  await expect(there.getByText('This folder is empty.')).toBeVisible()
  await page.screenshot({ path: 'out/files-empty.png' })

  await world.app.close()
  page = (await world.startAgain()).page
  await page.getByRole('link', { name: /^Instances/ }).click()
  ;({ here, there } = await showFiles(page))
  await expect(there.getByText('This folder is empty.')).toBeVisible({ timeout: 60_000 })
  await expect(here.getByRole('button', { name: /^Show hidden files/ })).toHaveAttribute(
    'aria-pressed',
    'false',
  )

  await test.step('a folder that is gone is said to be, and home is shown', async () => {
    await page.goBack()
    await rm(join(machine.home, 'data', 'gone'), { recursive: true })
    await page.getByRole('link', { name: 'Files' }).click()
    await expect(
      page.getByText(/gone, the folder you opened last on instance \d+\. This is the home folder\./),
    ).toBeVisible()
    await expect(there.getByText('data', { exact: true })).toBeVisible()
    await page.screenshot({ path: 'out/files-missed.png' })
    expect(await findings(page)).toEqual([])
  })

  await test.step('the menu of bookmarks leads there', async () => {
    await there.getByRole('button', { name: 'Bookmarks, The instance' }).click()
    await page.screenshot({ path: 'out/files-bookmarks.png' })
    await page.getByRole('menuitem', { name: /\/data$/ }).click()
    await expect(there.getByText('kept.txt')).toBeVisible()
  })
})

test('20,000 files, and names that no one would choose, stay in one line and in order', async ({ world }) => {
  const { page } = world.app
  const machine = await rentMachine(page, world.service)
  const many = join(machine.home, 'many')
  await mkdir(many)
  for (let at = 0; at < 20_000; at += 1) await writeFile(join(many, `image-${at}.png`), '')
  await writeFile(join(many, `${'long-'.repeat(50)}.txt`), '')
  for (const name of ['Case', 'case', 'rtl\u202egnp.exe', 'two\nlines']) await writeFile(join(many, name), '')
  const { there } = await openFiles(page)
  await openEntry(there, 'many')
  await expect(there.getByText('20,005 entries')).toBeVisible()
  await expect(there.getByText('image-0.png')).toBeVisible()
  expect(await there.locator('tr[data-row]').count()).toBeLessThan(60)
  await page.screenshot({ path: 'out/files-many.png' })
  await rowIn(there, 'Case').click()
  // Away from what is selected, which is drawn no more.
  await page.keyboard.press('ControlOrMeta+End')
  await expect(rowIn(there, 'two�lines')).toBeFocused()
  await there.getByRole('button', { name: 'Rename, The instance' }).click()
  await expect(there.getByLabel('New name of Case')).toBeFocused()
  await expect(there.getByLabel('New name of Case')).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(rowIn(there, 'Case')).toBeFocused()
  await page.keyboard.press('End')
  await expect(rowIn(there, 'two�lines')).toBeFocused()
  await expect(rowIn(there, 'rtl�gnp.exe')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: 'out/files-many-dark.png' })
  await there.getByRole('textbox', { name: 'Filter' }).fill('image-1999')
  await expect(there.getByText('11 of 20,005', { exact: true })).toBeVisible()
  await expect(namesIn(there).first()).toHaveText('image-1999.png')
})
