import { appendFile, chmod, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { findings } from '../support/axe.ts'
import { openEntry, openFiles, rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

const python = [
  '#!/usr/bin/env python3',
  '"""Trains a model."""',
  'import sys',
  '',
  'def train(rate: float = 0.1) -> None:',
  '    # One epoch',
  '    print(f"rate {rate}", file=sys.stderr)',
  '',
  'train(0.25)',
  '',
].join('\n')

const editor = (page: Page, name: string) => page.getByRole('textbox', { name: `Text of ${name}` })

test('a text file is opened, edited, and saved; what changed there meanwhile is asked about; nothing typed is lost', async ({
  world,
}) => {
  const { page } = world.app
  const { home } = await rentMachine(page, world.service)
  const work = join(home, 'work')
  await mkdir(work)
  const path = join(work, 'train.py')
  await writeFile(path, python)
  await chmod(path, 0o755)
  const { there } = await openFiles(page)
  await openEntry(there, 'work')
  await openEntry(there, 'train.py')
  const text = editor(page, 'train.py')
  const save = page.getByRole('button', { name: 'Save', exact: true })

  await test.step('it opens highlighted, and is saved by its key with its mode', async () => {
    await expect(text).toContainText('def train')
    await expect(text).toBeFocused()
    await expect(page.locator('.cm-line span').first()).toBeVisible()
    await expect(save).toBeDisabled()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.type('# mine\n')
    await expect(page.getByText('Unsaved changes.')).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/open-text.png' })
    await page.keyboard.press('ControlOrMeta+S')
    await expect(page.getByText(/^Saved/)).toBeVisible()
    expect(await readFile(path, 'utf8')).toBe(`# mine\n${python}`)
    expect((await stat(path)).mode & 0o777).toBe(0o755)
    expect(await readdir(work)).toEqual(['train.py'])
  })

  await test.step('its search finds', async () => {
    await text.click()
    await page.keyboard.press('ControlOrMeta+F')
    await page.getByRole('textbox', { name: 'Find' }).pressSequentially('rate')
    await expect(page.locator('.cm-searchMatch').first()).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/open-find.png' })
    await page.keyboard.press('Escape')
  })

  const dialog = page.getByRole('dialog')
  await test.step('somebody else’s change is seen, and overwritten only when told to', async () => {
    await text.click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('# more of mine\n')
    await writeFile(path, `# theirs\n${python}`)
    await save.click()
    await expect(dialog).toContainText('File changed on the instance')
    await dialog.getByRole('button', { name: 'See both' }).click()
    await expect(dialog.getByRole('group', { name: 'Differences' })).toContainText('# theirs')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/open-conflict.png' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await readFile(path, 'utf8')).toBe(`# theirs\n${python}`)
    await save.click()
    await dialog.getByRole('button', { name: 'Overwrite' }).click()
    await expect(page.getByText(/^Saved/)).toBeVisible()
    expect(await readFile(path, 'utf8')).toBe(`# mine\n${python}# more of mine\n`)
  })

  await test.step('what is typed stays when the page is left, and can be discarded', async () => {
    await text.click()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.type('# unsaved\n')
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    const unsaved = page.getByRole('region', { name: 'Unsaved changes' })
    await page.screenshot({ path: 'out/open-unsaved.png' })
    await unsaved.getByRole('link', { name: 'train.py' }).click()
    await expect(text).toContainText('# unsaved')
    expect(await readFile(path, 'utf8')).toBe(`# mine\n${python}# more of mine\n`)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await dialog.getByRole('button', { name: 'Discard changes' }).click()
    await expect(text).not.toContainText('# unsaved')
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await expect(there.getByText('train.py', { exact: true })).toBeVisible()
    await expect(unsaved).toBeHidden()
  })

  await test.step('an editor of this computer opens the folder that was shown last', async () => {
    await page.getByRole('link', { name: 'The instance' }).click()
    await page.getByRole('button', { name: 'Open in VS Code' }).click()
    if (world.app.host === 'chromium')
      await expect
        .poll(() => readFile(join(world.userData, 'opened-links.txt'), 'utf8').catch(() => ''))
        .toMatch(/^vscode:\/\/vscode-remote\/ssh-remote\+root@.+\/home\/work\n$/)
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await expect(there.getByText('train.py', { exact: true })).toBeVisible()
  })

  await test.step('what was typed into a file that is gone can be saved again', async () => {
    await openEntry(there, 'train.py')
    await text.pressSequentially('# last ')
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await rm(path)
    await page
      .getByRole('region', { name: 'Unsaved changes' })
      .getByRole('link', { name: 'train.py' })
      .click()
    await expect(text).toContainText('# last ')
    await save.click()
    await expect(dialog).toContainText('File was deleted on the instance')
    await dialog.getByRole('button', { name: 'Save again' }).click()
    await expect(page.getByText(/^Saved/)).toBeVisible()
    expect(await readFile(path, 'utf8')).toContain('# last ')
  })
})

test('a save over a lost connection keeps what was typed, and works again later', async ({ world }) => {
  const { page } = world.app
  const { id, sshPort, home } = await rentMachine(page, world.service)
  const link = await startTcpProxy({ host: '127.0.0.1', port: sshPort })
  world.service.instances.nameSshPort(id, link.address.port)
  await writeFile(join(home, 'config.yaml'), 'rate: 1\n')
  const { there } = await openFiles(page)
  await openEntry(there, 'config.yaml')
  const text = editor(page, 'config.yaml')
  await expect(text).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# first\n')
  await page.getByText('Unsaved changes.').waitFor()

  const save = page.getByRole('button', { name: 'Save', exact: true })
  await test.step('what is undone while a save is under way isn’t taken for saved', async () => {
    link.fallSilent()
    await save.click()
    await expect(page.getByRole('button', { name: 'Discard changes' })).toBeDisabled()
    await text.click()
    await expect(async () => {
      // What was typed slowly is undone in several steps.
      await page.keyboard.press('ControlOrMeta+Z')
      await expect(text).not.toContainText('#', { timeout: 500 })
    }).toPass()
    link.goOn()
    await expect.poll(() => readFile(join(home, 'config.yaml'), 'utf8')).toBe('# first\nrate: 1\n')
    await expect(page.getByText('Unsaved changes.')).toBeVisible()
    await save.click()
    await expect(page.getByText(/^Saved/)).toBeVisible()
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe('rate: 1\n')
  })

  await text.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# mine\n')
  await test.step('a save that fails after the page was left is told of, and leads back', async () => {
    link.fallSilent()
    await save.click()
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    link.close()
    await expect(page.getByText('Couldn’t save config.yaml')).toBeVisible()
    await page.screenshot({ path: 'out/open-save-toast.png' })
    await page.getByRole('button', { name: 'Open file' }).click()
    await expect(text).toContainText('# mine')
    await expect(page.getByText('Couldn’t open the file.')).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/open-only-unsaved.png' })
  })

  await save.click()
  const trouble = page.getByRole('alert').filter({ hasText: 'Your text is still here.' })
  await expect(trouble).toBeVisible()
  await page.screenshot({ path: 'out/open-error.png' })
  expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe('rate: 1\n')
  world.service.instances.nameSshPort(id, sshPort)
  const saved = page.getByText(/^Saved/)
  await expect(async () => {
    if (!(await saved.isVisible()))
      await trouble.getByRole('button', { name: 'Try again' }).click({ timeout: 1_000 })
    await expect(saved).toBeVisible({ timeout: 3_000 })
  }).toPass()
  expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe('# mine\nrate: 1\n')
})

test('a long log is followed with a search, also when it is rotated; pictures are shown by what they hold', async ({
  world,
}) => {
  const { page } = world.app
  const { home } = await rentMachine(page, world.service)
  const log = join(home, 'train.log')
  const lines = Array.from(
    { length: 120_000 },
    (_, index) => `step ${index} loss ${1 / (index + 1)} ${'.'.repeat(20)}`,
  )
  await writeFile(log, `${lines.join('\n')}\n`)
  await writeFile(join(home, 'plot.txt'), pixel)
  await writeFile(join(home, 'hostile.png'), hugePicture())
  await writeFile(join(home, 'page.svg'), '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  await writeFile(join(home, 'latin.txt'), Buffer.from([0x67, 0x72, 0xfc, 0xdf, 0x65]))
  await writeFile(join(home, 'model.bin'), Buffer.alloc(1024))
  const { there } = await openFiles(page)
  const open = (name: string) => openEntry(there, name)
  const back = () => page.getByRole('link', { name: 'Files', exact: true }).click()

  await test.step('the end is shown, and what is written', async () => {
    await open('train.log')
    const output = page.getByRole('log', { name: 'Text of train.log' })
    await expect(output).toContainText('step 119999')
    await appendFile(log, 'a new line\n')
    await expect(output).toContainText('a new line')
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('step 777 ')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^step 777 loss/ }).click()
    await expect(output).toContainText('step 778 loss')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/open-log.png' })
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await rename(log, join(home, 'train.log.1'))
    await writeFile(log, 'after the rotation\n')
    await expect(output).toContainText('after the rotation')
    await expect(output).not.toContainText('step 119999')
    await expect(page.getByText('The file was replaced or emptied.')).toBeVisible()
  })

  await test.step('a picture is one by what it holds, and a hostile one is refused', async () => {
    await back()
    await open('plot.txt')
    await expect(page.getByRole('img', { name: 'plot.txt' })).toBeVisible()
    await expect(page.getByRole('img', { name: 'plot.txt' })).toHaveJSProperty('naturalWidth', 1)
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/open-picture.png' })
    await back()
    await open('hostile.png')
    await expect(page.getByText('Picture too large to show')).toBeVisible()
    await page.screenshot({ path: 'out/open-refused.png' })
  })

  await test.step('an SVG is text; other bytes and encodings are refused', async () => {
    await back()
    await open('page.svg')
    await expect(editor(page, 'page.svg')).toContainText('onload')
    await back()
    await open('latin.txt')
    await expect(page.getByText('Not UTF-8 text')).toBeVisible()
    await back()
    await open('model.bin')
    await expect(page.getByText('Not a text file')).toBeVisible()
    expect(await findings(page)).toEqual([])
  })
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Its header says that it has 2³¹ − 1 pixels on each side. */
function hugePicture(): Buffer {
  const huge = Buffer.from(pixel)
  huge.writeUInt32BE(0x7fffffff, 16)
  huge.writeUInt32BE(0x7fffffff, 20)
  return huge
}
