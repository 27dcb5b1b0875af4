import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { openEntry, rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 1] } } })

test('files are copied from one instance to another, through this computer, and the page says so', async ({
  world,
}) => {
  const { app, service } = world
  const { page } = app
  const first = await rentMachine(page, service)
  await page.getByRole('link', { name: /^Offers/ }).click()
  await rent(page)
  await page.getByRole('link', { name: /^Instances/ }).click()
  const second = (await instancesOf(service)).find(({ id }) => id !== first.id)
  if (!second) throw new Error('No second machine was rented')
  await untilRunning(page, second.id)
  const content = randomBytes(3_000_000)
  await mkdir(join(first.home, 'runs'))
  await writeFile(join(first.home, 'runs', 'model.bin'), content)

  await instanceRow(page, second.id)
    .getByText(/^running$/i)
    .click()
  await page.getByRole('link', { name: 'Files' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  const toldThrough = page.getByText('Files go through this computer')
  await expect(page.getByRole('region', { name: 'The instance' }).getByText('.ssh')).toBeVisible()
  await expect(toldThrough).toBeHidden()

  const choice = page.getByRole('combobox', { name: 'Left side' })
  await test.step('the left side is chosen by keyboard, which stays on the choice', async () => {
    await choice.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('option', { name: 'This computer' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: String(first.id) })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Trust this host' }).click()
    await expect(choice).toContainText(String(first.id))
    await expect(toldThrough).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /gitignore/ })).toBeHidden()
  })

  const left = page.getByRole('region', { name: `Instance ${first.id}` })
  const right = page.getByRole('region', { name: `Instance ${second.id}` })
  const transfers = page.getByRole('region', { name: 'Transfers' })
  await left.getByRole('checkbox', { name: 'Select runs' }).click()
  await page.getByRole('button', { name: `Copy to instance ${second.id}`, exact: true }).click()
  const row = transfers.getByRole('listitem')
  await expect(row).toContainText(`from instance ${first.id} to instance ${second.id}, `)
  await expect(row).toContainText('Done')
  await openEntry(right, 'runs')
  await expect(right.getByText('model.bin')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: 'out/files-between.png' })
  const home = service.instances.homeOf(second.id) ?? ''
  expect((await readFile(join(home, 'runs', 'model.bin'))).equals(content)).toBe(true)

  await test.step('a file that is dragged back meets its name', async () => {
    await right.getByText('model.bin').dragTo(left.getByText('.ssh'))
    await expect(left.getByText('model.bin')).toBeVisible()
    await right.getByText('model.bin').click()
    await writeFile(join(first.home, 'model.bin'), 'another')
    await page.getByRole('button', { name: `Copy to instance ${first.id}`, exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Files already exist' })
    await expect(question).toContainText(`on instance ${first.id}`)
    await question.getByRole('button', { name: 'Continue transfer' }).click()
    await expect(question).toBeHidden()
    expect(await readFile(join(first.home, 'model.bin'), 'utf8')).toBe('another')
  })

  await test.step('of files of the same name in the user’s editor, each row says whose it is', async () => {
    const program = join(world.userData, 'chosen-files', 'my-editor')
    await mkdir(dirname(program), { recursive: true })
    await writeFile(program, '#!/bin/sh\n')
    await chmod(program, 0o755)
    const edited = page.getByRole('region', { name: 'Open in my editor' })
    const stop = (id: number) =>
      edited.getByRole('button', { name: `Stop editing model.bin on instance ${id}` })
    await left.getByText('model.bin', { exact: true }).click()
    await page.keyboard.press('F4')
    await page.getByRole('button', { name: 'Choose program…' }).click()
    await expect(stop(first.id)).toBeVisible()
    await right.getByText('model.bin', { exact: true }).click()
    await page.keyboard.press('F4')
    await expect(stop(second.id)).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.setViewportSize({ width: 960, height: 700 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `out/files-between-${colorScheme}.png` })
    }
    await page.setViewportSize({ width: 1280, height: 720 })
    for (const { id } of [first, second]) {
      await stop(id).click()
      await expect(stop(id)).toBeHidden()
    }
    // The keyboard is in the page still.
    await expect(page.locator('#page')).toBeFocused()
  })

  await test.step('the way back from an opened file of either side leads to both', async () => {
    for (const side of [left, right]) {
      await openEntry(side, 'model.bin')
      await expect(page.getByRole('heading', { name: 'model.bin' })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Files' }).click()
      await expect(left.getByText('model.bin')).toBeVisible()
      await expect(right.getByText('model.bin')).toBeVisible()
    }
  })

  await test.step('and this computer is chosen again', async () => {
    await choice.click()
    await page.getByRole('option', { name: 'This computer' }).click()
    await expect(choice).toBeFocused()
    await expect(page.getByRole('region', { name: 'This computer' })).toBeVisible()
    await expect(toldThrough).toBeHidden()
    await page.screenshot({ path: 'out/files-beside.png' })
  })
})
