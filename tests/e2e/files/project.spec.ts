import { chmod, lstat, mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveHostileSftp } from '../../support/hostile-sftp-server.ts'
import { openEntry, openFiles, rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

test('a project: .gitignore on request, permissions and times kept, one question for all, odd names', async ({
  world,
}) => {
  const { page } = world.app
  const { service } = world
  const home = join(world.userData, 'home')
  const project = join(home, 'project')
  const longAgo = new Date('2021-03-04T05:06:07Z')
  await mkdir(join(project, 'src'), { recursive: true })
  await mkdir(join(project, '.git'))
  const contents = {
    '.gitignore': '*.log\n',
    '.git/config': 'of Git',
    'run.sh': 'run',
    'train.log': 'epoch 1',
    'src/main.py': 'main',
    'src/debug.log': 'debug',
  }
  for (const [path, text] of Object.entries(contents)) await writeFile(join(project, path), text)
  await chmod(join(project, 'run.sh'), 0o751)
  await utimes(join(project, 'run.sh'), longAgo, longAgo)
  await chmod(join(project, 'src'), 0o705)
  await utimes(join(project, 'src'), longAgo, longAgo)

  const machine = await rentMachine(page, service)
  const arrived = join(machine.home, 'project')
  const { here, there, transfers } = await openFiles(page)
  const rows = transfers.locator(':scope > ul > li')
  const newest = rows.first()
  let started = 0
  const upload = async (): Promise<void> => {
    await here.getByRole('checkbox', { name: 'Select project' }).click()
    await page.getByRole('button', { name: 'Upload' }).click()
    started += 1
  }
  const download = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Download' }).click()
    await expect(rows).toHaveCount((started += 1))
  }

  await test.step('what .gitignore names stays here when that is asked for', async () => {
    await page.getByRole('checkbox', { name: /\.gitignore/ }).click()
    await upload()
    await expect(rows).toHaveCount(started)
    await expect(newest).toContainText('3 of 3 files')
    await expect(newest).toContainText('Done')
    expect((await readdir(arrived, { recursive: true })).sort()).toEqual([
      '.gitignore',
      'run.sh',
      'src',
      'src/main.py',
    ])
    for (const [path, mode] of [
      ['run.sh', 0o751],
      ['src', 0o705],
    ] as const) {
      const { mode: kept, mtimeMs } = await lstat(join(arrived, path))
      expect({ path, mode: kept & 0o777, mtimeMs }).toEqual({ path, mode, mtimeMs: longAgo.getTime() })
    }
  })

  await test.step('without it all goes; what is there already is not asked about', async () => {
    await page.getByRole('checkbox', { name: /\.gitignore/ }).click()
    await upload()
    await expect(rows).toHaveCount(started)
    await expect(newest).toContainText('Done')
    await expect(newest).toContainText('3 of 3 files')
    expect(await readFile(join(arrived, 'src/debug.log'), 'utf8')).toBe('debug')
  })

  await test.step('files that were changed there are asked about once for all', async () => {
    for (const path of ['run.sh', 'src/main.py', 'train.log'])
      await writeFile(join(arrived, path), 'changed on the instance')
    await upload()
    const dialog = page.getByRole('dialog', { name: 'Files already exist' })
    await expect(dialog).toContainText('3 files already exist')
    await expect(dialog.getByRole('listitem')).toHaveText([
      'project/run.sh',
      'project/src/main.py',
      'project/train.log',
    ])
    await dialog.getByRole('radio', { name: 'Replace all files' }).click()
    await page.screenshot({ path: 'out/files-conflict.png' })
    await dialog.getByRole('button', { name: 'Continue transfer' }).click()
    // What lies behind a dialog cannot be found.
    await expect(dialog).toHaveCount(0)
    await expect(rows).toHaveCount(started)
    await expect(newest).toContainText('3 of 3 files')
    await expect(newest).toContainText('Done')
    await expect(dialog).toHaveCount(0)
    for (const path of ['run.sh', 'src/main.py', 'train.log'] as const)
      expect(await readFile(join(arrived, path), 'utf8')).toBe(contents[path])
  })

  await test.step('names that hide or reorder text are shown as they are, and control characters are skipped', async () => {
    const odd = join(machine.home, 'odd')
    await mkdir(odd)
    const names = ['<b>bold', '--rf', 'back\\slash', 'gnp\u202eexe.png']
    for (const name of [...names, 'esc\u001b[2J', 'two\nlines']) await writeFile(join(odd, name), name)
    await there.getByRole('button', { name: /^Refresh/ }).click()
    await openEntry(there, 'odd')
    for (const shown of ['<b>bold', '--rf', 'back\\slash', 'gnp�exe.png', 'esc�[2J', 'two�lines'])
      await expect(there.getByText(shown, { exact: true })).toBeVisible()
    await there.getByRole('button', { name: /^Up,/ }).click()
    await there.getByRole('checkbox', { name: 'Select odd' }).click()
    await download()
    await expect(newest).toContainText('Done, 2 skipped')
    expect((await readdir(join(home, 'odd'))).sort()).toEqual(names.toSorted())
  })

  await test.step('names that are paths lead nowhere', async () => {
    const server = await serveHostileSftp({
      list: () =>
        ['../outside', '/etc/evil', 'a/b', '', '.', '..', 'fine', 'fine'].map((name) => ({
          name,
          mode: 0o100644,
        })),
      content: Buffer.from('from afar'),
    })
    // The next connection is to another server, which makes its files up.
    service.instances.nameSshPort(machine.id, server.address.port)
    await service.instances.setSshd(machine.id, 'down')
    const alarm = page.getByRole('dialog', { name: 'Host key changed' })
    // That the former connection was lost is told first.
    await expect(async () => {
      if (!(await alarm.isVisible()))
        await there.getByRole('button', { name: /^Refresh/ }).click({ timeout: 1_000 })
      await expect(alarm).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 120_000 })
    await alarm.getByRole('checkbox', { name: /^I know why/ }).click()
    await alarm.getByRole('button', { name: 'Forget and ask again' }).click()
    await page.getByRole('button', { name: 'Trust this host' }).click()
    await expect(there.getByText('../outside')).toBeVisible()
    await there.getByRole('checkbox', { name: 'Select all, The instance' }).click()
    await expect(there.getByText('4 selected')).toBeVisible()
    await download()
    await expect(newest).toContainText('Done, 3 skipped')
    await newest.getByText('Skipped: 3').click()
    for (const name of ['../outside', '/etc/evil', 'a/b'])
      await expect(newest.getByText(`${name}: the name is a path`)).toBeVisible()
    await page.screenshot({ path: 'out/files-paths.png' })
    expect((await readdir(home)).filter((name) => !name.startsWith('.')).sort()).toEqual([
      'fine',
      'odd',
      'project',
    ])
    expect(await readdir(world.userData)).not.toContain('outside')
    expect(await readFile(join(home, 'fine'), 'utf8')).toBe('from afar')
    server.close()
  })
})
