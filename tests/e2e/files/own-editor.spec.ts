import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findings } from '../support/axe.ts'
import { instanceRow, untilRunning } from '../support/actions.ts'
import { openEntry, openFiles, rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

test('a file is opened with the user’s own editor, and what is saved there arrives; what changed there is asked about', async ({
  world,
}) => {
  const { page } = world.app
  const { home } = await rentMachine(page, world.service)
  const work = join(home, 'work')
  await mkdir(work)
  const there = join(work, 'train.py')
  await writeFile(there, 'rate = 1\n')
  await chmod(there, 0o755)
  // It edits what it is given, by rename as editors do, and says where that is.
  const chosen = join(world.userData, 'chosen-files')
  const told = join(world.userData, 'editor-told')
  await mkdir(chosen, { recursive: true })
  const program = join(chosen, 'my-editor')
  await writeFile(
    program,
    `#!/bin/sh\n[ $# = 1 ] || exit 1\nsed 's/rate = 1/rate = 2/' "$1" > "$1.new" && mv "$1.new" "$1"\nprintf %s "$1" > '${told}'\n`,
  )
  await chmod(program, 0o755)
  const { there: pane } = await openFiles(page)
  await openEntry(pane, 'work')
  const list = page.getByRole('region', { name: 'Open in my editor' })
  const dialog = page.getByRole('dialog')
  let copy = ''

  await test.step('the first time, a program is chosen; what it saves arrives with its mode', async () => {
    await pane.getByText('train.py', { exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open with my editor' }).click()
    await expect(dialog).toContainText('Choose your editor')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/own-editor-choose.png' })
    await dialog.getByRole('button', { name: 'Choose program…' }).click()
    await expect(list.getByText('Uploaded', { exact: true })).toBeVisible()
    expect(await readFile(there, 'utf8')).toBe('rate = 2\n')
    expect((await stat(there)).mode & 0o777).toBe(0o755)
    copy = await readFile(told, 'utf8')
    expect(copy.startsWith(world.userData)).toBe(true)
    // Whatever the program makes of the copy, its folder is closed.
    expect((await stat(dirname(copy))).mode & 0o777).toBe(0o700)
    expect(await readdir(work)).toEqual(['train.py'])
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/own-editor-list.png' })
  })

  await test.step('somebody else’s change is asked about, and stays until told', async () => {
    await writeFile(there, 'rate = 7\n')
    await writeFile(copy, 'rate = 3\n')
    await list.getByRole('button', { name: 'Compare train.py' }).click()
    await expect(dialog).toContainText('File changed on the instance')
    await dialog.getByRole('button', { name: 'See both' }).click()
    await expect(dialog.getByRole('group', { name: 'Differences' })).toContainText('rate = 7')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/own-editor-changed.png' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await readFile(there, 'utf8')).toBe('rate = 7\n')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.screenshot({ path: 'out/own-editor-light.png' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await list.getByRole('button', { name: 'Stop editing train.py' }).click()
    await expect(dialog).toContainText('Stop without uploading?')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // Its user looks at the program, and not at this window.
    await expect
      .poll(() => readFile(join(world.userData, 'notifications.jsonl'), 'utf8').catch(() => ''), {
        timeout: 20_000,
      })
      .toMatch(/"Edited file of instance \d+[^"]* needs an answer"/)
  })

  await test.step('what wasn’t uploaded is there after a restart, and can be uploaded then', async () => {
    await world.app.close()
    const { page: next } = await world.startAgain()
    expect(await readFile(copy, 'utf8')).toBe('rate = 3\n')
    await next.getByRole('link', { name: /^Instances/ }).click()
    await untilRunning(next)
    await instanceRow(next)
      .getByText(/^running$/i)
      .click()
    await next.getByRole('link', { name: 'Files' }).click()
    const listNow = next.getByRole('region', { name: 'Open in my editor' })
    await listNow.getByRole('button', { name: 'Compare train.py' }).click()
    await next.getByRole('dialog').getByRole('button', { name: 'Overwrite' }).click()
    await expect(listNow.getByText('Uploaded', { exact: true })).toBeVisible()
    expect(await readFile(there, 'utf8')).toBe('rate = 3\n')
    await next.setViewportSize({ width: 960, height: 700 })
    await next.screenshot({ path: 'out/own-editor-960.png' })
    await listNow.getByRole('button', { name: 'Stop editing train.py' }).click()
    await expect(listNow).toBeHidden()
    await expect
      .poll(() =>
        stat(copy).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false)
  })

  await test.step('settings show the program, and forget it', async () => {
    const { page: now } = world.app
    await now.getByRole('link', { name: 'Settings' }).click()
    const section = now.locator('#files')
    await section.scrollIntoViewIfNeeded()
    await expect(section).toContainText('my-editor')
    expect(await findings(now)).toEqual([])
    await now.screenshot({ path: 'out/own-editor-settings.png' })
    await section.getByRole('button', { name: 'Remove editor' }).click()
    await expect(section).toContainText('No program chosen')
  })
})
