import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { localTime } from '#services/storage/line-log/log-lines.ts'
import { instancesOf, openMenu, openTerminal, rent, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a terminal is logged to a file that the user chose, until that is stopped; a disk that is full is said', async ({
  world,
}) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  const [instance] = await instancesOf(world.service)
  const files = join(world.userData, 'saved-files')
  // As the dialog suggests it, which has no user here.
  const nameAt = (ms: number): string => {
    const time = localTime(ms).slice(0, 19).replace('T', '-').replaceAll(':', '')
    return `instance-${instance?.id}-${time}.log`
  }
  const status = page.getByRole('group', { name: 'Terminal status' })
  const choose = async (item: string): Promise<void> => {
    await openMenu(page.getByRole('tab'))
    await page.getByRole('menuitem', { name: item }).click()
  }
  await type(page, 'PS1=; echo re""ady\n')
  await expect.poll(() => screenText(page)).toMatch(/^ready$/m)

  await choose('Log to file…')
  await expect(status.getByText(/^Logging to instance-\d+-\d{4}-\d\d-\d\d-\d{6}\.log$/)).toBeVisible()
  await type(page, String.raw`printf '\e[1mlogged-%d\e[0m\n' 42` + '\n')
  await expect.poll(() => screenText(page)).toMatch(/^logged-42$/m)
  await page.screenshot({ path: 'out/file-log.png' })
  expect(await findings(page)).toEqual([])
  await status.getByRole('button', { name: 'Stop logging' }).click()
  await expect(status.getByText('Logging to')).toHaveCount(0)
  const [name = ''] = await readdir(files)
  expect(await readFile(join(files, name), 'utf8')).toMatch(/^\d{4}-\S+ logged-42$/m)

  const begun = Date.now()
  for (let s = 1; s < 300; s += 1) await symlink('/dev/full', join(files, nameAt(begun + s * 1_000)))
  await expect.poll(() => Date.now()).toBeGreaterThan(begun + 1_000)
  await choose('Log to file…')
  const notice = page.getByText(/no space left/i)
  await expect(notice).toBeVisible()
  await page.screenshot({ path: 'out/file-log-full.png' })
  expect(await findings(page)).toEqual([])
  await expect(status.getByText('Logging to')).toHaveCount(0)
  await openMenu(page.getByRole('tab'))
  await expect(page.getByRole('menuitem', { name: 'Log to file…' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await type(page, 'echo still-$((40 + 2))\n')
  await expect.poll(() => screenText(page)).toMatch(/^still-42$/m)

  // It takes rows from the terminal, which tells its new size; so does a window of another size.
  const rows = (): Promise<number> => page.locator('.xterm-rows > div').count()
  const before = await rows()
  await page.setViewportSize({ width: 1000, height: 560 })
  await expect.poll(rows).toBeLessThan(before)
  await type(page, 'clear; stty size\n')
  await expect.poll(() => screenText(page)).toMatch(new RegExp(`^${await rows()} \\d+$`, 'm'))
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
})
