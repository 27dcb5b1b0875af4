import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { instanceRow, openMenu, openTerminal, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { rentMachine, showFiles } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 1] } } })

const size = 16 * 1024 * 1024

test('a terminal, a command, and an upload tell once when they are done, and lead to their pages', async ({
  world,
}) => {
  const { app, service, userData } = world
  const { page } = app
  const machine = await rentMachine(page, service)
  const link = await startTcpProxy({ host: '127.0.0.1', port: machine.sshPort })
  service.instances.nameSshPort(machine.id, link.address.port)
  const told = async (): Promise<readonly string[]> => {
    const lines = await readFile(join(userData, 'notifications.jsonl'), 'utf8').catch(() => '')
    const all = lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { title: string; body: string })
    return all.map(({ title }) => title).filter((title) => !title.endsWith('is running'))
  }
  const click = (title: string): Promise<void> => writeFile(join(userData, 'click-notification'), title)
  const ended = `Command ended on instance ${machine.id}`

  await test.step('the shell in a terminal tells its command’s end, with the tab hidden', async () => {
    await openTerminal(page)
    await type(page, 'PS1=; echo re""ady\n')
    await expect.poll(() => screenText(page)).toMatch(/^ready$/m)
    const bell = page.getByRole('button', { name: 'Notify when done', exact: true })
    await expect(bell).toHaveAttribute('aria-pressed', 'false')
    await type(
      page,
      String.raw`until [ -e ~/go-1 ]; do sleep 0.2; done; for i in 1 2 3; do printf '\e]133;D;3\a'; done` +
        '\n',
    )
    await bell.click()
    await expect(bell).toHaveAttribute('aria-pressed', 'true')
    await page.screenshot({ path: 'out/notify-terminal.png' })
    expect(await findings(page)).toEqual([])
    await page.getByRole('link', { name: /^Instances/ }).click()
    // What ends within a second of a key isn't told: who pressed it is there.
    await page.waitForTimeout(1_000)
    await writeFile(join(machine.home, 'go-1'), '')
    await expect.poll(told, { timeout: 30_000 }).toEqual([`${ended} (exit code 3)`])
    await click(`${ended} (exit code 3)`)
    await expect(page.getByRole('region', { name: 'Terminal' })).toBeVisible()
    await expect(bell).toHaveAttribute('aria-pressed', 'false')
    await expect(page).toHaveURL(/\/terminals$/)
    await openMenu(page.getByRole('tab'))
    await page.getByRole('menuitem', { name: 'Notify when done' }).click()
    await expect(bell).toHaveAttribute('aria-pressed', 'true')
    await openMenu(page.getByRole('tab'))
    await page.screenshot({ path: 'out/notify-tab-menu.png' })
    await page.getByRole('menuitem', { name: 'Don’t notify when done' }).click()
    await expect(bell).toHaveAttribute('aria-pressed', 'false')
  })

  await test.step('a command on instances', async () => {
    await page.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(page).getByRole('checkbox').click()
    await page.getByRole('link', { name: 'Run a command' }).click()
    await page.getByLabel('Command', { exact: true }).fill('until [ -e ~/go-2 ]; do sleep 0.2; done; exit 5')
    await page.getByRole('button', { name: 'Run on 1 instance' }).click()
    const bell = page.getByRole('button', { name: 'Notify when done' })
    await bell.click()
    await expect(bell).toHaveAttribute('aria-pressed', 'true')
    await page.screenshot({ path: 'out/notify-run.png' })
    expect(await findings(page)).toEqual([])
    await writeFile(join(machine.home, 'go-2'), '')
    await expect.poll(told).toEqual([`${ended} (exit code 3)`, ended])
    await expect(bell).toHaveCount(0)
  })

  await test.step('an upload', async () => {
    const home = join(userData, 'home')
    await mkdir(home, { recursive: true })
    await writeFile(join(home, 'model.bin'), randomBytes(size))
    await page
      .getByRole('link', { name: /^Instances/ })
      .first()
      .click()
    const { here, transfers } = await showFiles(page)
    await here.getByRole('checkbox', { name: 'Select model.bin' }).click()
    link.fallSilent(size / 4)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect.poll(link.isSilent).toBe(true)
    const bell = transfers.getByRole('button', { name: 'Notify when done: model.bin' })
    await bell.click()
    await expect(bell).toHaveAttribute('aria-pressed', 'true')
    await page.screenshot({ path: 'out/notify-files.png' })
    expect(await findings(page)).toEqual([])
    link.goOn()
    const finished = `Upload to instance ${machine.id} finished`
    await expect.poll(told).toEqual([`${ended} (exit code 3)`, ended, finished])
    await page.getByRole('link', { name: 'Offers' }).click()
    await click(finished)
    await expect(transfers.getByText('Done')).toBeVisible()
    await expect(bell).toHaveCount(0)
  })
})
