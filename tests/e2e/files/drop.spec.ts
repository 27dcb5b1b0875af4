import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dragOver, draggedFiles, dropFiles } from '../support/drop-files.ts'
import { instanceRow, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { openFiles, rentMachine } from '../support/files-actions.ts'
import { watchFor } from '../support/passing-words.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** What a shell would run, if it weren't one word: also where single quotes don't hold everything. */
const hostile = `a'; touch owned; '\\'; touch owned; !x $(touch owned) "\`touch owned\`".txt`

test('files and folders of the desktop are dropped on the instance’s pane, and on nothing else there', async ({
  world,
}) => {
  const { page } = world.app
  const desktop = join(world.userData, 'desktop')
  await mkdir(join(desktop, 'pictures'), { recursive: true })
  await writeFile(join(desktop, 'report.txt'), 'report')
  await writeFile(join(desktop, hostile), 'hostile')
  await writeFile(join(desktop, 'pictures', 'one.png'), 'one')
  const { home } = await rentMachine(page, world.service)
  const { here, there, transfers } = await openFiles(page)
  await expect(there.getByRole('row').first()).toBeVisible()

  const over = await dragOver(page, there, draggedFiles([join(desktop, 'report.txt')]))
  await expect(there).toHaveClass(/border-primary/)
  await page.screenshot({ path: test.info().outputPath('pane.png') })
  await over.leave()
  await expect(there).not.toHaveClass(/border-primary/)

  await dropFiles(
    page,
    there,
    ['report.txt', hostile, 'pictures'].map((name) => join(desktop, name)),
  )
  await expect(there.getByText('report.txt')).toBeVisible()
  await expect(transfers.getByText('Done')).toBeVisible()
  expect(await readFile(join(home, 'report.txt'), 'utf8')).toBe('report')
  expect(await readFile(join(home, hostile), 'utf8')).toBe('hostile')
  expect(await readFile(join(home, 'pictures', 'one.png'), 'utf8')).toBe('one')

  await test.step('names that are taken are asked about', async () => {
    await writeFile(join(desktop, 'report.txt'), 'a longer report')
    await dropFiles(page, there, [join(desktop, 'report.txt')])
    const dialog = page.getByRole('dialog', { name: 'Files already exist' })
    await dialog.getByRole('radio', { name: 'Keep both' }).click()
    await dialog.getByRole('button', { name: 'Continue transfer' }).click()
    await expect(there.getByText('report (2).txt')).toBeVisible()
  })

  await test.step('the other pane shows that nothing can be dropped on it', async () => {
    const refused = await dragOver(page, here, draggedFiles([join(desktop, 'report.txt')]))
    await expect(here).not.toHaveClass(/border-primary/)
    await refused.drop()
    await expect(transfers.getByRole('listitem').or(transfers.getByRole('row'))).not.toHaveCount(0)
    await expect(page.getByRole('heading', { name: /^Files of instance/ })).toBeVisible()
    expect(await findings(page)).toEqual([])
  })
})

test('files dropped on a terminal go where its shell is, and their paths are pasted when they are there', async ({
  world,
}) => {
  const { page } = world.app
  const desktop = join(world.userData, 'desktop')
  await mkdir(desktop, { recursive: true })
  for (const name of ['report.txt', 'second.txt', hostile]) await writeFile(join(desktop, name), name)
  const { home } = await rentMachine(page, world.service)
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await expect.poll(() => screenText(page)).toContain('instance-')
  const terminal = page.getByRole('region', { name: 'Terminal' })
  const drop = (name: string) => dropFiles(page, terminal, [join(desktop, name)])
  // A busy bash takes what is typed before its new prompt for more of the line that was interrupted.
  const interrupt = async (): Promise<void> => {
    await type(page, '\u0003')
    await expect.poll(() => screenText(page)).toMatch(/# \s*$/)
  }

  await test.step('into the home folder, while no other is known', async () => {
    await type(page, `wc -c `)
    const over = await dragOver(page, terminal, draggedFiles([join(desktop, 'report.txt')]))
    await expect(terminal.getByText('Upload to the home folder')).toBeVisible()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: test.info().outputPath(`over-${colorScheme}.png`) })
    }
    await over.drop()
    await expect(terminal.getByText('Upload to the home folder')).toBeHidden()
    await expect.poll(() => screenText(page)).toContain(`wc -c ${home}/report.txt`)
    expect(await readFile(join(home, 'report.txt'), 'utf8')).toBe('report.txt')
    await page.keyboard.press('Enter')
    await expect.poll(() => screenText(page)).toContain(`10 ${home}/report.txt`)
    await expect(page.getByText(/^Uploading/)).toHaveCount(0)
  })

  await test.step('into the folder that the shell tells; no name acts', async () => {
    await type(page, `clear; mkdir 'a b'; cd 'a b'; printf '\\e]7;file://m%s\\a' "$PWD"\n`)
    await expect(page.getByRole('group', { name: 'Terminal status' }).getByText('a b')).toBeVisible()
    await expect.poll(() => screenText(page)).toMatch(/# \s*$/)
    // It ends in something that is seen: where the line ends then tells whether it has changed.
    await type(page, 'clear; cat <')
    await expect.poll(() => screenText(page)).toContain('clear; cat <')
    await drop(hostile)
    await expect.poll(() => screenText(page)).toContain(`${home}/a b/a`)
    await page.keyboard.press('Enter')
    // Its content is its name.
    await expect
      .poll(async () => (await screenText(page)).replaceAll('\n', ''))
      .toContain(`txt ${hostile}`.slice(4))
    await expect.poll(() => screenText(page)).toMatch(/# \s*$/)
    await type(page, `clear; ls ~ . | grep -c '^owned$'; pwd\n`)
    await expect.poll(() => screenText(page)).toMatch(/^0$/m)
    expect(await readFile(join(home, 'a b', hostile), 'utf8')).toBe(hostile)
  })

  await test.step('a command line that has changed meanwhile gets a path only when it is asked for', async () => {
    await truncate(join(desktop, 'second.txt'), 250_000_000)
    await expect.poll(() => screenText(page)).toMatch(/# \s*$/)
    await type(page, 'clear; wc -c <')
    await expect.poll(() => screenText(page)).toContain('clear; wc -c <')
    const uploading = await watchFor(page.locator('#page'), 'Uploading second.txt to ')
    await drop('second.txt')
    await page.keyboard.type('-l ')
    await expect(page.getByText('The terminal has changed since, so nothing was pasted.')).toBeVisible()
    expect(await uploading()).toBeGreaterThan(0)
    expect(await screenText(page)).not.toContain('second.txt')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: test.info().outputPath('left.png') })

    // Also not when the line looks as before again, and there is news of a transfer.
    await interrupt()
    await type(page, 'clear\n')
    await expect.poll(() => screenText(page)).toMatch(/^[^\n]*# \s*$/)
    await type(page, 'clear; wc -c <')
    await expect.poll(() => screenText(page)).toContain('clear; wc -c <')
    await drop('report.txt')
    await expect.poll(() => screenText(page)).toContain(`wc -c <'${home}/a b/report.txt'`)
    expect(await screenText(page)).not.toContain('second.txt')
    await interrupt()
    await type(page, 'clear; wc -c -l ')
    await page.getByRole('button', { name: 'Paste path' }).click()
    await expect.poll(() => screenText(page)).toContain(`wc -c -l '${home}/a b/second.txt'`)
  })

  await test.step('a failure says what to do', async () => {
    await interrupt()
    await type(page, `clear; printf '\\e]7;file://m/no/such/folder\\a'\n`)
    await expect(page.getByRole('group', { name: 'Terminal status' }).getByText('such/folder')).toBeVisible()
    await drop('report.txt')
    await expect(page.getByText(/^Couldn’t upload report.txt to \/no\/such\/folder\./)).toBeVisible()
    await page.setViewportSize({ width: 960, height: 700 })
    await page.screenshot({ path: test.info().outputPath('failed-960.png') })
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Dismiss' }).last().click()
    await expect(page.getByText(/^Couldn’t upload/)).toHaveCount(0)
  })

  await test.step('a shell that has ended takes none', async () => {
    await type(page, 'exit\n')
    await expect(page.getByText(/ended/).first()).toBeVisible()
    const refused = await dragOver(page, terminal, draggedFiles([join(desktop, 'report.txt')]))
    await expect(terminal.getByText(/^Upload to/)).toHaveCount(0)
    await refused.drop()
    await expect(page.getByText(/^Uploading/)).toHaveCount(0)
  })
})
