import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findings } from '../support/axe.ts'
import { openEntry, openFiles, rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

test('a folder is pushed: reviewed, pushed, asked about, pushed on save, and opened in a terminal', async ({
  world,
}) => {
  const { page } = world.app
  const { service } = world
  const app = join(world.userData, 'home', 'app')
  await mkdir(join(app, 'src'), { recursive: true })
  await writeFile(join(app, '.gitignore'), '*.log\n')
  await writeFile(join(app, 'src', 'main.py'), 'print(1)')
  await writeFile(join(app, 'train.log'), 'epoch 1')
  await writeFile(join(app, 'data.csv'), 'x'.repeat(5_000))

  const machine = await rentMachine(page, service)
  const there = join(machine.home, 'app')
  const read = (path: string): Promise<string | null> => readFile(join(there, path), 'utf8').catch(() => null)
  const { here, there: shownThere } = await openFiles(page)
  const projects = page.getByRole('region', { name: 'Projects' })
  const review = page.getByRole('dialog', { name: 'Push app' })

  await test.step('the folders are those shown and one of the same name; a review comes first', async () => {
    await openEntry(here, 'app')
    await expect(here).toContainText('data.csv')
    await page.getByRole('button', { name: 'Push a folder…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Push a folder' })
    await expect(dialog.getByLabel('Folder on this computer')).toHaveValue(app)
    await expect(dialog.getByLabel('Folder on the instance')).toHaveValue('~/app')
    await expect(dialog.getByLabel('Skip files ignored by .gitignore')).toBeChecked()
    await expect(dialog.getByLabel('Delete files on the instance that you delete here')).not.toBeChecked()
    await dialog.getByLabel('Exclude more files').fill('*.csv')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/push-project.png' })
    await dialog.getByRole('button', { name: 'Review push' }).click()
    await expect(review).toContainText('Push 2 new files (14 B), create 2 folders.')
    await expect(review.getByRole('listitem')).toHaveText([/^.gitignoreNew/, /^src\/main.pyNew/])
    expect(await readdir(machine.home)).not.toContain('app')
    expect(await findings(page)).toEqual([])
  })

  await test.step('it is pushed, and then nothing differs', async () => {
    await review.getByRole('button', { name: 'Push', exact: true }).click()
    await expect(projects).toContainText('Pushed 2 files')
    expect((await readdir(there, { recursive: true })).toSorted()).toEqual([
      '.gitignore',
      'src',
      'src/main.py',
    ])
    await projects.getByRole('button', { name: 'Push app' }).click()
    await expect(review).toContainText('Nothing to push.')
    await page.screenshot({ path: 'out/push-nothing.png' })
    await review.getByRole('button', { name: 'Close', exact: true }).first().click()
    await expect(shownThere.getByText('app', { exact: true })).toBeVisible()
  })

  await test.step('what changed on the instance is asked about, and survives unless it is given up', async () => {
    await writeFile(join(there, 'src', 'main.py'), 'edited on the instance')
    await writeFile(join(there, '.gitignore'), 'edited there, too\n')
    await writeFile(join(app, 'src', 'main.py'), 'edited here')
    await writeFile(join(app, 'src', 'new.py'), 'new')
    await projects.getByRole('button', { name: 'Push app' }).click()
    const asked = review.getByRole('region', { name: 'Files to decide about' })
    await expect(asked.getByRole('listitem')).toHaveText([
      /src\/main\.py.*Changed on the instance, too/,
      /\.gitignore.*Changed only on the instance/,
    ])
    await asked.getByRole('checkbox', { name: 'Replace src/main.py' }).click()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `out/push-conflict-${colorScheme}.png` })
    }
    expect(await findings(page)).toEqual([])
    await review.getByRole('button', { name: 'Push', exact: true }).click()
    await expect.poll(() => read('src/new.py')).toBe('new')
    await expect.poll(() => read('src/main.py')).toBe('edited here')
    expect(await read('.gitignore')).toBe('edited there, too\n')
  })

  await test.step('on save, what changes is pushed by itself, and what changed there is held back', async () => {
    await projects.getByRole('switch', { name: 'Push app on save' }).click()
    await expect(projects.getByRole('switch', { name: 'Push app on save' })).toBeChecked()
    await writeFile(join(app, 'src', 'main.py'), 'saved')
    await expect.poll(() => read('src/main.py')).toBe('saved')
    await expect(projects).toContainText('Pushed 1 file')
    await writeFile(join(there, 'src', 'new.py'), 'edited on the instance')
    await writeFile(join(app, 'src', 'new.py'), 'saved here')
    await expect(projects).toContainText('1 file held back')
    expect(await read('src/new.py')).toBe('edited on the instance')
    await page.setViewportSize({ width: 960, height: 700 })
    await page.screenshot({ path: 'out/push-held-back.png' })
    expect(await findings(page)).toEqual([])
    await projects.getByRole('button', { name: 'Review app' }).click()
    await review.getByRole('button', { name: 'Replace all' }).click()
    await page.screenshot({ path: 'out/push-review-960.png' })
    await review.getByRole('button', { name: 'Push', exact: true }).click()
    await expect.poll(() => read('src/new.py')).toBe('saved here')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('deletes that are switched on are shown, and done by Push alone', async () => {
    await rm(join(app, 'src', 'new.py'))
    await projects.getByRole('button', { name: 'More for app' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit project' })
    await dialog.getByLabel('Delete files on the instance that you delete here').check()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(projects).toContainText('Needs your review')
    await page.screenshot({ path: 'out/push-unreviewed.png' })
    await projects.getByRole('button', { name: 'Push app' }).click()
    const list = review.getByRole('region', { name: 'Files to delete' })
    await expect(list.getByRole('listitem')).toHaveText([/^src\/new\.pyDeleted on the instance/])
    await expect(list.getByRole('checkbox')).toBeChecked()
    await page.screenshot({ path: 'out/push-deletes.png' })
    expect(await findings(page)).toEqual([])
    expect(await read('src/new.py')).toBe('saved here')
    await review.getByRole('button', { name: 'Push', exact: true }).click()
    await expect.poll(() => read('src/new.py')).toBe(null)
    await expect(projects).toContainText('Deleted 1 file')
  })

  await test.step('a terminal begins in the folder there', async () => {
    await projects.getByRole('button', { name: 'Open terminal in the folder of app' }).click()
    await expect(page).toHaveURL(/\/terminals$/)
    await page.keyboard.type('pwd > ~/where; cat ~/where\n')
    await expect.poll(() => readFile(join(machine.home, 'where'), 'utf8').catch(() => '')).toBe(`${there}\n`)
  })

  await test.step('the palette begins a push, and a folder that is gone is told', async () => {
    await projectsPage()
    await rm(app, { recursive: true })
    await expect(projects).toContainText('no longer exists on this computer', { timeout: 90_000 })
    await page.screenshot({ path: 'out/push-failed.png' })
    await projects.getByRole('button', { name: 'Push app' }).click()
    await expect(review).toContainText('no longer exists on this computer')
    await page.screenshot({ path: 'out/push-review-failed.png' })
    await page.keyboard.press('Escape')
    await projects.getByRole('button', { name: 'More for app' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expect(projects).toHaveCount(0)
    expect(await read('src/main.py')).toBe('saved')
  })

  async function projectsPage(): Promise<void> {
    await page.getByRole('button', { name: 'Go to', exact: true }).click()
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await palette.getByRole('combobox').fill('Push a folder')
    await palette.getByRole('option', { name: /^Push a folder to/ }).click()
    await expect(review).toContainText('Nothing to push.')
    await page.keyboard.press('Escape')
  }
})
