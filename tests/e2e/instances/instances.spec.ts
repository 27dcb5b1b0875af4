import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { Simulator } from '../../simulator/simulator.ts'
import { accountFolder, instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { watchFor } from '../support/passing-words.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

const run = promisify(execFile)

test.describe('the page of an instance', () => {
  test.use({ worldOptions: { service: { bootSeconds: [0, 4] } } })

  test('tells its states, its ways in and every field; keeps what its owner writes; stays after its end', async ({
    world,
  }) => {
    const { service, app, userData } = world
    const { page } = app
    await writeFile(join(userData, 'registered-schemes'), 'vscode\ncursor')
    const id = await rentOne(page, service)
    await instanceRow(page)
      .getByText(/^running$/i)
      .click()
    const details = page.getByRole('region', { name: `Details of instance ${id}` })
    await expect(details.getByRole('heading', { name: `Instance ${id}` })).toBeVisible()
    await expect(details.getByRole('list', { name: /^States/ }).getByText('Running')).toBeVisible()
    const [instance] = await instancesOf(service)
    const direct = instance?.ports['22/tcp']?.[0]?.HostPort ?? ''
    await expect(details.getByText(`ssh -p ${direct} root@127.0.0.1`).first()).toBeVisible()
    await expect(details.getByText(`ssh -p ${instance?.ssh_port ?? 0} root@127.0.0.1`).first()).toBeVisible()
    await expect(details.getByRole('table', { name: 'Ports' }).getByText('22/tcp')).toBeVisible()
    await expect(details.getByText('Reliability', { exact: true })).toBeVisible()
    await expect(details.getByText('jupyter_token')).toBeVisible()
    const documented = details.getByRole('region', { name: 'In the API’s document' })
    await expect(documented.getByRole('term')).toHaveText(['Status', 'SSH host (proxy)', 'SSH port (proxy)'])
    await expect(details.getByText(/^Seen, not documented: the service sends these fields/)).toBeVisible()

    const leftOf = async (name: string) =>
      Math.round((await details.getByRole('region', { name, exact: true }).boundingBox())?.x ?? Number.NaN)
    const apart = async () => (await leftOf('Activity')) - (await leftOf('Connect'))
    const size = page.viewportSize() ?? { width: 1280, height: 800 }
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(apart).toBeGreaterThan(300)
    await page.setViewportSize({ width: 960, height: 600 })
    await expect.poll(apart).toBe(0)
    await page.setViewportSize(size)

    await details.getByLabel('Label', { exact: true }).fill('night training')
    await details.getByLabel('Note', { exact: true }).fill('Ask Kim first.\nThen destroy it.')
    await details.getByRole('button', { name: 'Save label and note' }).click()
    await expect(page.getByRole('heading', { name: 'night training' })).toBeVisible()

    await page.getByRole('button', { name: 'Open in VS Code' }).click()
    const log = page.getByRole('list', { name: 'Activity' })
    await expect(log.getByText('Opened in VS Code')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open in Zed' })).toBeHidden()
    await page.getByRole('button', { name: 'Open in Cursor' }).click()
    await expect(log.getByText('Opened in Cursor')).toBeVisible()
    if (app.host === 'chromium')
      await expect
        .poll(() => readFile(join(userData, 'opened-links.txt'), 'utf8').catch(() => ''))
        .toBe(
          ['vscode', 'cursor']
            .map((scheme) => `${scheme}://vscode-remote/ssh-remote+root@127.0.0.1:${direct}/root\n`)
            .join(''),
        )

    await app.close()
    const { page: again } = await world.startAgain()
    await again.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(again).getByText('night training').click()
    await expect(again.getByLabel('Note', { exact: true })).toHaveValue('Ask Kim first.\nThen destroy it.')
    await expect(again.getByRole('list', { name: /^States/ }).getByText('Downloading')).toBeVisible()

    await again.getByRole('button', { name: 'Destroy' }).click()
    await again.getByLabel('Type the instance id').fill(String(id))
    await again.getByRole('button', { name: 'Destroy for good' }).click()
    await expect(again.getByText('This instance is no longer in your account')).toBeVisible()
    const history = again.getByRole('list', { name: 'Activity' })
    await expect(history.getByText('Destroyed: no longer listed, and charges have ended')).toBeVisible()
    await expect(history.getByText('Destroy requested')).toBeVisible()
    await expect(history.getByText('Opened in VS Code')).toBeVisible()
    await again.getByRole('button', { name: 'All instances' }).click()
    await expect(again.getByText('You have no instances')).toBeVisible()
  })
})

test.describe('the SSH configuration', () => {
  test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

  test('gets an entry after asking, which logs in; the user’s own lines are never touched', async ({
    world,
  }) => {
    const { service, app, userData } = world
    const { page } = app
    const config = join(userData, 'home', '.ssh', 'config')
    const mine = '# mine\nHost work\n  HostName 10.0.0.1\n'
    await mkdir(join(userData, 'home', '.ssh'), { recursive: true })
    await writeFile(config, mine)
    const id = await rentOne(page, service)
    const home = service.instances.homeOf(id) ?? ''
    const key = join(userData, 'key')
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    await writeFile(join(home, '.ssh', 'authorized_keys'), await readFile(`${key}.pub`), { flag: 'a' })
    const ssh = async (...command: string[]) => {
      const options = ['-F', config, '-i', key, '-o', 'BatchMode=yes', '-o', 'UserKnownHostsFile=/dev/null']
      const quiet = ['-o', 'StrictHostKeyChecking=no', '-o', 'LogLevel=ERROR', '-l', service.sshUser]
      return (await run('ssh', [...options, ...quiet, `slipway-${id}`, ...command])).stdout
    }

    await instanceRow(page)
      .getByText(/^running$/i)
      .click()
    await page.getByRole('button', { name: 'Add to SSH configuration…' }).click()
    const dialog = page.getByRole('dialog')
    const ownConfig = join(await accountFolder(userData), 'ssh_config')
    await expect(dialog).toContainText(`Include "${ownConfig}"`)
    expect(await readFile(config, 'utf8')).toBe(mine)
    await dialog.getByRole('button', { name: 'Add the line' }).click()
    await expect(page.getByText(`ssh slipway-${id}`, { exact: true })).toBeVisible()
    expect(await readFile(config, 'utf8')).toMatch(/^# Added by Slipway.*\nInclude ".*"\n\n# mine\n/)
    expect(await ssh('echo', 'inside', '$HOSTNAME')).toMatch(/^inside/)

    await page.getByRole('button', { name: 'Destroy' }).click()
    await page.getByLabel('Type the instance id').fill(String(id))
    await page.getByRole('button', { name: 'Destroy for good' }).click()
    await expect(page.getByText('This instance is no longer in your account')).toBeVisible()
    await expect.poll(() => readFile(ownConfig, 'utf8')).not.toContain(`slipway-${id}`)

    await page.getByRole('button', { name: 'All instances' }).click()
    await page.getByRole('link', { name: /^Offers/ }).click()
    await rent(page)
    await untilRunning(page)
    await instanceRow(page)
      .getByText(/^running$/i)
      .click()
    await page.getByRole('button', { name: 'SSH configuration…' }).click()
    await page.getByRole('button', { name: 'Remove the line' }).click()
    await expect(page.getByRole('button', { name: 'Add to SSH configuration…' })).toBeVisible()
    expect(await readFile(config, 'utf8')).toBe(mine)
  })
})

test.describe('several instances', () => {
  test.use({ worldOptions: { service: { instances: 5 } } })

  test('are destroyed with one confirmation, one that fails is told apart; those left stay readable with no service', async ({
    world,
  }) => {
    const { service, app } = world
    const { page } = app
    await page.getByRole('link', { name: /^Instances/ }).click()
    const [first, second, third] = (await instancesOf(service)).map(({ id }) => id)
    await instanceRow(page, first).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(page.getByText('3 selected')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: `Select instance ${third ?? 0}` })).toBeChecked()
    expect(await findings(page)).toEqual([])

    await page.getByRole('button', { name: 'Destroy 3 instances' }).click()
    const dialog = page.getByRole('dialog', { name: 'Destroy 3 instances?' })
    await expect(dialog).toContainText(
      /You’re charged \$[\d.]+\/h for these instances now, and nothing afterwards/,
    )
    await expect(dialog.getByRole('button', { name: 'Destroy 3 for good' })).toBeDisabled()
    service.faults.add({ method: 'DELETE', path: `/api/v0/instances/${second ?? 0}/`, kind: '429' })
    await dialog.getByLabel('Type how many instances').fill('3')
    await dialog.getByRole('button', { name: 'Destroy 3 for good' }).click()
    await expect(dialog.getByText('1 of 3 requests failed')).toBeVisible()
    await expect(dialog.getByRole('listitem').filter({ hasText: String(second) })).toContainText(
      'Too many requests',
    )
    expect((await instancesOf(service)).map(({ id }) => id)).toContain(second)
    expect(await instancesOf(service)).toHaveLength(3)

    const toasts = page.locator('section[aria-label="What happened"]')
    const timesTold = await watchFor(toasts, '3 instances destroyed')
    await dialog.getByRole('button', { name: 'Try 1 again' }).click()
    await expect.poll(timesTold).toBe(1)
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('table', { name: 'Instances' }).getByRole('row')).toHaveCount(3)
    const destroys = service.journal().filter(({ method }) => method === 'DELETE')
    expect(destroys.map(({ path }) => path).toSorted()).toEqual(
      [first, second, second, third].map((id) => `/api/v0/instances/${id ?? 0}/`).toSorted(),
    )

    const [left] = (await instancesOf(service)).map(({ id }) => id)
    await app.close()
    await service.close()
    const { page: again } = await world.startAgain()
    await again.getByRole('link', { name: /^Instances/ }).click()
    await expect(instanceRow(again, left)).toBeVisible()
    await expect(again.getByText('Not up to date:')).toBeVisible()
    await expect(again.getByText('The service refused the connection')).toBeVisible()
    const destroy = instanceRow(again, left).getByRole('button', { name: 'Destroy' })
    await expect(destroy).toBeDisabled()
    await expect(destroy).toHaveAttribute('title', 'Slipway can’t reach the service')
    await instanceRow(again, left).getByText('Running').click()
    const why = 'Slipway can’t reach the service: Stop and Destroy are off.'
    await expect(again.getByText(why)).toBeVisible()
    await expect(
      again.getByRole('region', { name: /^Details of/ }).getByRole('button', { name: 'Destroy' }),
    ).toHaveAccessibleDescription(why)
  })
})

/** Sets up, rents one and waits until it runs. */
async function rentOne(page: Page, service: Simulator): Promise<number> {
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  return instance?.id ?? 0
}
