import { randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { mayMountDisks, mountSmallDisk } from '../../support/small-disk.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { accountFolder } from '../support/actions.ts'
import { openEntry, openFiles, rentMachine, showFiles, type RentedMachine } from '../support/files-actions.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [1, 1] } } })

const mib = 1024 * 1024
/** Twice what is under way at once at most. */
const size = 32 * mib

/** A machine that the app reaches through a link of the test's own. */
async function rentBehindLink({ app, service }: World): Promise<RentedMachine & { readonly link: TcpProxy }> {
  const machine = await rentMachine(app.page, service)
  const link = await startTcpProxy({ host: '127.0.0.1', port: machine.sshPort })
  service.instances.nameSshPort(machine.id, link.address.port)
  return { ...machine, link }
}

/** What is there of a file, whole or not. */
const tracesOf = async (name: string, folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((each) => each.includes(name))
const halfOf = (name: string) => [expect.stringMatching(new RegExp(`^\\.${name}\\.[0-9a-f]{12}\\.part$`))]
const rowOf = (transfers: Locator, name: string) =>
  transfers.getByRole('listitem').filter({ has: transfers.page().getByText(name, { exact: true }) })

test('a link that stalls in a transfer: it is said, a cancel leaves nothing, and what was begun goes on', async ({
  world,
}) => {
  let { page } = world.app
  const home = join(world.userData, 'home')
  const { home: instance, link } = await rentBehindLink(world)
  const [model, data] = [randomBytes(size), randomBytes(size)]
  await writeFile(join(instance, 'model.bin'), model)
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'data.bin'), data)
  let { here, there, transfers } = await openFiles(page)
  const row = (name: string) => rowOf(transfers, name)
  const untilStalled = () => expect.poll(link.isSilent).toBe(true)
  const untilQuiet = async () => {
    let last = 0
    const moved = (): number => {
      const before = last
      last = link.passed()
      return last - before
    }
    await expect.poll(moved, { intervals: [1_000] }).toBeLessThan(mib / 8)
  }

  await test.step('a download says that nothing moves; cancelled, nothing of it is here', async () => {
    await there.getByRole('checkbox', { name: 'Select model.bin' }).click()
    link.fallSilent(size / 4)
    await page.getByRole('button', { name: 'Download' }).click()
    await untilStalled()
    await expect(row('model.bin')).toContainText('stalled', { timeout: 90_000 })
    expect(await tracesOf('model.bin', home)).toEqual(halfOf('model.bin'))
    await page.screenshot({ path: 'out/files-stalled.png' })
    await row('model.bin').getByRole('button', { name: 'Cancel' }).click()
    await expect(row('model.bin')).toContainText('Canceled')
    expect(await tracesOf('model.bin', home)).toEqual([])
    link.goOn()
    // What the instance was asked for before comes all the same.
    await untilQuiet()
  })

  await test.step('an upload that is cancelled is cleared away on the instance, too, once it hears of it', async () => {
    await here.getByRole('checkbox', { name: 'Select data.bin' }).click()
    link.fallSilent(size / 4)
    await page.getByRole('button', { name: 'Upload' }).click()
    await untilStalled()
    expect(await tracesOf('data.bin', instance)).toEqual(halfOf('data.bin'))
    await row('data.bin').getByRole('button', { name: 'Cancel' }).click()
    await expect(row('data.bin')).toContainText('Canceled')
    expect(await tracesOf('data.bin', instance)).not.toContain('data.bin')
    link.goOn()
    await expect.poll(() => tracesOf('data.bin', instance)).toEqual([])
  })

  await test.step('a download whose link died while the computer slept goes on by itself', async () => {
    link.fallSilent(size / 2)
    await row('model.bin').getByRole('button', { name: 'Try again' }).click()
    await untilStalled()
    expect(await tracesOf('model.bin', home)).toEqual(halfOf('model.bin'))
    const before = link.passed()
    // Only for new connections: nobody is told about the one that stands.
    link.heal()
    await world.app.power('suspend')
    await world.app.power('resume')
    await expect(row('model.bin')).toContainText('Done', { timeout: 90_000 })
    expect((await readFile(join(home, 'model.bin'))).equals(model)).toBe(true)
    expect(await tracesOf('model.bin', home)).toEqual(['model.bin'])
    expect(link.passed() - before).toBeLessThan(size * 0.75)
  })

  await test.step('an upload goes on when Slipway is started again after a crash', async () => {
    link.fallSilent(size / 2)
    await row('data.bin').getByRole('button', { name: 'Try again' }).click()
    await untilStalled()
    expect(await tracesOf('data.bin', instance)).toEqual(halfOf('data.bin'))
    const kept = join(await accountFolder(world.userData), 'transfers.json')
    await expect.poll(() => readFile(kept, 'utf8')).toContain('"data.bin"')
    await world.app.kill()
    const before = link.passed()
    link.heal()
    page = (await world.startAgain()).page
    await page.getByRole('link', { name: /^Instances/ }).click()
    ;({ here, there, transfers } = await showFiles(page))
    await expect(row('data.bin')).toContainText('Done', { timeout: 90_000 })
    expect((await readFile(join(instance, 'data.bin'))).equals(data)).toBe(true)
    expect(await tracesOf('data.bin', instance)).toEqual(['data.bin'])
    expect(link.passed() - before).toBeLessThan(size * 0.9)
  })
  link.close()
})

test.describe('a full disk', () => {
  test.skip(!mayMountDisks, 'only root with all its rights may make a small disk')

  test('is said before anything is written, and when it fills up on the way; room helps', async ({
    world,
  }) => {
    const { page } = world.app
    const home = join(world.userData, 'home')
    const { home: instance, link } = await rentBehindLink(world)
    const [large, fitting] = [randomBytes(12 * mib), randomBytes(6 * mib)]
    await writeFile(join(instance, 'large'), large)
    await writeFile(join(instance, 'fitting'), fitting)
    await mkdir(home, { recursive: true })
    await writeFile(join(home, 'upload'), fitting)
    const [disk, remoteDisk] = [join(home, 'disk'), join(instance, 'disk')]
    const unmount = [await mountSmallDisk(disk, 8), await mountSmallDisk(remoteDisk, 4)]
    try {
      const { here, there, transfers } = await openFiles(page)
      const row = (name: string) => rowOf(transfers, name)

      await test.step('that of the instance', async () => {
        await openEntry(there, 'disk')
        await expect(there.getByText('This folder is empty.')).toBeVisible()
        await here.getByRole('checkbox', { name: 'Select upload' }).click()
        await page.getByRole('button', { name: 'Upload' }).click()
        await expect(row('upload')).toContainText(
          /The disk of the instance is full \(.* free\)\. Free some space/,
        )
        expect(await readdir(remoteDisk)).toEqual([])
        await there.getByRole('button', { name: /^Up,/ }).click()
      })

      await test.step('that of this computer', async () => {
        await openEntry(here, 'disk')
        await expect(here.getByText('This folder is empty.')).toBeVisible()
        await there.getByRole('checkbox', { name: 'Select large' }).click()
        await page.getByRole('button', { name: 'Download' }).click()
        await expect(row('large')).toContainText(
          /The disk of this computer is full \(.* free\)\. Free some space/,
        )
        expect(await readdir(disk)).toEqual([])
      })

      await test.step('filled by somebody else meanwhile', async () => {
        await there.getByRole('checkbox', { name: 'Select fitting' }).click()
        link.fallSilent(2 * mib)
        await page.getByRole('button', { name: 'Download' }).click()
        await expect.poll(link.isSilent).toBe(true)
        await writeFile(join(disk, 'filler'), randomBytes(5 * mib))
        link.goOn()
        await expect(row('fitting')).toContainText('The disk of this computer is full')
        expect(await tracesOf('fitting', disk)).toEqual(halfOf('fitting'))
        await page.screenshot({ path: 'out/files-full.png' })
        await rm(join(disk, 'filler'))
        await row('fitting').getByRole('button', { name: 'Try again' }).click()
        await expect(row('fitting')).toContainText('Done')
        expect((await readFile(join(disk, 'fitting'))).equals(fitting)).toBe(true)
        expect(await tracesOf('fitting', disk)).toEqual(['fitting'])
      })
    } finally {
      for (const each of unmount) await each()
      link.close()
    }
  })
})
