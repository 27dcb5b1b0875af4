import { randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findings } from '../support/axe.ts'
import { openEntry, openFiles, rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

test('files go both ways, also dragged, and names that are taken are asked about; folders are made, renamed, and removed on both sides', async ({
  world,
}) => {
  const { page } = world.app
  const home = join(world.userData, 'home')
  await mkdir(join(home, 'old'), { recursive: true })
  await writeFile(join(home, 'old', 'notes.txt'), 'notes')
  const content = randomBytes(8 * 1024 * 1024)
  await mkdir(join(home, 'project'), { recursive: true })
  await writeFile(join(home, 'project', 'data.bin'), content)
  await rentMachine(page, world.service)
  const { here, there, transfers } = await openFiles(page)
  const row = (name: string) =>
    there
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox', { name: `Select ${name}`, exact: true }) })

  await test.step('folders are made, renamed and removed on both sides; what goes from here goes into the trash', async () => {
    await there.getByRole('button', { name: /^New folder/ }).click()
    const naming = page.getByRole('dialog')
    await naming.getByLabel('Name').fill('data')
    await page.keyboard.press('Enter')
    await expect(row('data')).toBeVisible()
    await there.getByRole('button', { name: /^New folder/ }).click()
    await naming.getByLabel('Name').fill('data')
    await page.keyboard.press('Enter')
    await expect(naming.getByRole('alert')).toHaveText(/already exists on the instance/)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(naming).toBeHidden()

    await row('data').focus()
    await page.keyboard.press('Enter')
    await expect(there.getByText('This folder is empty.')).toBeVisible()
    await expect(there.getByRole('group', { name: 'Files, The instance' })).toBeFocused()
    await page.keyboard.press('Backspace')
    // On the folder that one comes from.
    await expect(row('data')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(row('.ssh')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(row('data')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('F2')
    const field = there.getByLabel('New name of data')
    await expect(field).toBeFocused()
    await field.fill('.ssh')
    await page.keyboard.press('Enter')
    await expect(there.getByRole('alert')).toHaveText(/already exists on the instance/)
    await expect(field).toHaveValue('.ssh')
    await page.screenshot({ path: 'out/files-rename.png' })
    expect(await findings(page)).toEqual([])
    await field.fill('runs')
    await page.keyboard.press('Enter')
    await expect(row('runs')).toBeFocused()

    await there.getByRole('checkbox', { name: 'Select runs' }).click()
    await page.keyboard.press('Delete')
    await expect(naming).toContainText('You can’t undo this')
    await page.screenshot({ path: 'out/files-delete.png' })
    await naming.getByRole('button', { name: 'Delete permanently' }).click()
    // What lies behind a dialog cannot be found either.
    await expect(naming).toBeHidden()
    await expect(row('runs')).toBeHidden()

    await here.getByRole('checkbox', { name: 'Select old' }).click()
    await here.getByRole('button', { name: /^Delete/ }).click()
    await naming.getByRole('button', { name: 'Move to trash' }).click()
    await expect(naming).toBeHidden()
    await expect(here.getByText('old', { exact: true })).toBeHidden()
    const trash = join(home, '.local', 'share', 'Trash', 'files')
    const [trashed = ''] = await readdir(trash)
    expect(await readFile(join(trash, trashed, 'notes.txt'), 'utf8')).toBe('notes')
  })

  const upload = page.getByRole('button', { name: 'Upload' })
  await expect(upload).toBeDisabled()
  await expect(upload).toHaveAccessibleDescription('Select files or folders to copy.')
  await expect(page.getByText('Select files or folders to copy.')).toBeVisible()
  await expect(here.getByText('Select to rename or delete')).toBeVisible()
  await here.getByRole('checkbox', { name: 'Select project' }).click()
  await upload.click()
  await expect(transfers.getByText('Done')).toBeVisible()
  await openEntry(there, 'project')
  await expect(there.getByText('data.bin')).toBeVisible()

  await writeFile(join(home, 'data.bin'), 'mine')
  await here.getByRole('button', { name: /^Refresh/ }).click()
  await there.getByRole('checkbox', { name: 'Select data.bin' }).click()
  await page.getByRole('button', { name: 'Download' }).click()
  const dialog = page.getByRole('dialog', { name: 'Files already exist' })
  await test.step('a terminal says that it waits, and leads back', async () => {
    await expect(dialog).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Open terminal' }).first().click()
    const status = page.getByRole('group', { name: 'Terminal status' })
    await status.getByRole('link', { name: 'Transfer: needs your answer' }).click()
  })
  await dialog.getByRole('radio', { name: 'Keep both' }).click()
  await dialog.getByRole('button', { name: 'Continue transfer' }).click()
  await expect(here.getByText('data (2).bin')).toBeVisible()
  expect(await readFile(join(home, 'data.bin'), 'utf8')).toBe('mine')
  expect((await readFile(join(home, 'data (2).bin'))).equals(content)).toBe(true)
  await page.screenshot({ path: 'out/files.png' })

  await test.step('files are dragged to the other side, and chosen in the system’s dialog', async () => {
    // The page begins where it was left.
    await writeFile(join(home, 'dragged.txt'), 'dragged')
    await here.getByRole('button', { name: /^Refresh/ }).click()
    await expect(there.getByText('data.bin')).toBeVisible()
    await here.getByText('dragged.txt').dragTo(there.getByText('data.bin'))
    await expect(there.getByText('dragged.txt')).toBeVisible()
    if (world.app.host !== 'chromium') return
    await mkdir(join(world.userData, 'chosen-files'), { recursive: true })
    await writeFile(join(world.userData, 'chosen-files', 'chosen.txt'), 'chosen')
    await page.getByRole('button', { name: 'Choose files…' }).click()
    await expect(there.getByText('chosen.txt')).toBeVisible()
    expect(await findings(page)).toEqual([])
  })
})
