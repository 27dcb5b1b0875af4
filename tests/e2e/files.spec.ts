import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceRow, openTerminal, rent, setUp } from './actions.ts'
import { expect, test } from './world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

test('files go both ways; a name that is taken is asked about, and what is there can be kept', async ({
  world,
}) => {
  const { page } = world.app
  const home = join(world.userData, 'home')
  const content = randomBytes(8 * 1024 * 1024)
  await mkdir(join(home, 'project'), { recursive: true })
  await writeFile(join(home, 'project', 'data.bin'), content)

  await setUp(page, world.service)
  await rent(page)
  await openTerminal(page)
  await page.getByRole('link', { name: 'Instances' }).click()
  await instanceRow(page).click()
  await page.getByRole('link', { name: 'Files' }).click()

  const here = page.getByRole('region', { name: 'This computer' })
  const there = page.getByRole('region', { name: 'The instance' })
  await here.getByRole('checkbox', { name: 'Choose project' }).click()
  await page.getByRole('button', { name: 'Upload' }).click()
  const transfers = page.getByRole('region', { name: 'Transfers' })
  await expect(transfers.getByText('Done')).toBeVisible()
  await there.getByRole('button', { name: 'project' }).click()
  await expect(there.getByText('data.bin')).toBeVisible()

  await writeFile(join(home, 'data.bin'), 'mine')
  await here.getByRole('button', { name: /^Refresh/ }).click()
  await there.getByRole('checkbox', { name: 'Choose data.bin' }).click()
  await page.getByRole('button', { name: 'Download' }).click()
  const dialog = page.getByRole('dialog', { name: 'Files are there already' })
  await dialog.getByRole('radio', { name: 'Keep both' }).click()
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await expect(here.getByText('data (2).bin')).toBeVisible()
  expect(await readFile(join(home, 'data.bin'), 'utf8')).toBe('mine')
  expect((await readFile(join(home, 'data (2).bin'))).equals(content)).toBe(true)
  await page.screenshot({ path: 'out/files.png' })
})
