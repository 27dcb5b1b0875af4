import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { instanceRow, instancesOf, openTerminal, rent, screenText, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

const ends: (() => void)[] = []
test.afterEach(() => {
  for (const end of ends.splice(0)) end()
})

test('a machine whose key is taken over from ~/.ssh/known_hosts opens without a question', async ({
  world,
}) => {
  const { page } = world.app
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(world.service)
  await world.service.instances.blockSsh(instance?.id ?? 0, 'proxy', 'refused')
  // That of the other address alone would be no proof: it may have been another instance's.
  const port = instance?.ports['22/tcp']?.[0]?.HostPort ?? ''
  const { stdout } = await promisify(execFile)('ssh-keyscan', ['-H', '-p', port, '127.0.0.1'])
  const folder = join(world.userData, 'home', '.ssh')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'known_hosts'), stdout)

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Import from ~/.ssh/known_hosts' }).click()
  const keys = page.getByRole('region', { name: 'Keys of ~/.ssh/known_hosts' })
  await expect(keys).toContainText('Hashed name')
  await keys.scrollIntoViewIfNeeded()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: /^Import \d+ keys?$/ }).click()
  await expect(page.getByText(/^\d+ keys? imported\.$/)).toBeVisible()

  await page.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
  await expect.poll(() => screenText(page)).toContain('instance-')
})

test('a key that goes along to a new address is told calmly, and another key there is an alarm', async ({
  world,
}) => {
  const { page } = world.app
  const { instances } = world.service
  await rent(page)
  await openTerminal(page)
  const [one] = await instancesOf(world.service)
  const first = { id: one?.id ?? 0, port: one?.ssh_port ?? 0 }
  const status = page.getByRole('group', { name: 'Terminal status' })
  const leadsTo = { host: '127.0.0.1', port: first.port }
  const [relay, another] = [await startTcpProxy(leadsTo), await startTcpProxy(leadsTo)]
  ends.push(relay.close, another.close)

  await test.step('the same key', async () => {
    instances.nameSshPort(first.id, relay.address.port)
    await instances.setSshd(first.id, 'down')
    await expect(status).toContainText('Reconnecting')
    await instances.setSshd(first.id, 'up')
    // It connects again by itself.
    await expect(status).toContainText('Same host key, new address (now trusted)')
  })

  await test.step('another key', async () => {
    instances.nameSshPort(first.id, another.address.port)
    await instances.replaceHostKey(first.id)
    const alarm = page.getByRole('dialog', { name: 'Host key changed' })
    await expect(alarm).toContainText('Trusted for this instance since')
    await expect(alarm.getByRole('button', { name: 'Forget and ask again' })).toBeDisabled()
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath('alarm.png') })
    await alarm.getByRole('button', { name: 'Don’t connect' }).click()
  })
})
