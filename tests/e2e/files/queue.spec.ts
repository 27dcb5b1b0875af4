import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { findings } from '../support/axe.ts'
import { openFiles, rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 1] } } })

test('transfers are paused, put in another order, and resumed; nothing of them is lost', async ({
  world,
}) => {
  const { app, service, userData } = world
  const { page } = app
  const machine = await rentMachine(page, service)
  const link = await startTcpProxy({ host: '127.0.0.1', port: machine.sshPort })
  service.instances.nameSshPort(machine.id, link.address.port)
  const home = join(userData, 'home')
  await mkdir(home, { recursive: true })
  const contents = new Map(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.bin`, randomBytes(8_000_000)]))
  for (const [name, content] of contents) await writeFile(join(home, name), content)
  const { here, there, transfers } = await openFiles(page)
  await expect(there.getByText('.ssh')).toBeVisible()

  link.fallSilent(2_000_000)
  for (const name of contents.keys()) {
    await here.getByRole('checkbox', { name: `Select ${name}` }).click()
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(transfers.getByText(name, { exact: true })).toBeVisible()
  }
  const names = async () =>
    (await transfers.getByRole('listitem').allTextContents()).map((text) => text.slice(0, 1))
  expect((await names()).join('')).toBe('abcde')
  await expect(transfers.getByText('2 queued')).toBeVisible()
  const move = (name: string) => transfers.getByRole('button', { name, exact: true })
  await move('Move up e.bin').focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await names()).join('')).toBe('abced')
  await expect(move('Move up e.bin')).toBeDisabled()
  await expect(move('Move down e.bin')).toBeFocused()

  await transfers.getByRole('button', { name: 'Pause b.bin' }).click()
  await expect(transfers.getByRole('listitem').filter({ hasText: 'b.bin' })).toContainText('Paused')
  await expect(transfers.getByText(/^3 transfers/)).toBeVisible() // The first of the queue has its place.
  await transfers.getByRole('button', { name: 'Pause all' }).click()
  await expect(transfers.getByText('5 queued')).toBeVisible()
  await expect(transfers.getByRole('button', { name: 'Pause all' })).toBeHidden()
  await page.screenshot({ path: 'out/files-queue.png' })
  expect(await findings(page)).toEqual([])

  // A button moves with its row, and the keyboard with both.
  for (const order of ['abecd', 'aebcd']) {
    await move('Move up e.bin').press('Enter')
    await expect.poll(async () => (await names()).join('')).toBe(order)
    await expect(move('Move up e.bin')).toBeFocused()
  }
  for (const order of ['abecd', 'abced']) {
    await move('Move down e.bin').press('Enter')
    await expect.poll(async () => (await names()).join('')).toBe(order)
    await expect(move('Move down e.bin')).toBeFocused()
  }

  link.goOn()
  await transfers.getByRole('button', { name: 'Resume d.bin' }).click()
  await expect(transfers.getByRole('listitem').filter({ hasText: 'd.bin' })).toContainText('Done')
  await transfers.getByRole('button', { name: 'Resume all' }).click()
  await expect(transfers.getByText('Done')).toHaveCount(5)
  for (const [name, content] of contents)
    expect((await readFile(join(machine.home, name))).equals(content)).toBe(true)
})
