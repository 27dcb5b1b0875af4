import { serveHostileSftp } from '../../support/hostile-sftp-server.ts'
import { confirmWith } from '../../support/raw-ssh.ts'
import {
  instanceRow,
  instancesOf,
  openTerminal,
  rent,
  screenText,
  type,
  untilRunning,
} from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a host that breaks the SSH protocol is disconnected and told of, and other terminals go on', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  const main = page.getByRole('main')
  const tabs = page.getByRole('tab')
  const host = await serveHostileSftp({
    onConnection: (connection) => confirmWith(connection, { packetSize: 0 }),
  })

  try {
    await rent(page)
    await openTerminal(page)
    const [honest] = await instancesOf(service)
    await page.getByRole('link', { name: /^Offers/ }).click()
    await rent(page)
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect.poll(async () => (await instancesOf(service)).length).toBe(2)
    const id = (await instancesOf(service)).find((one) => one.id !== honest?.id)?.id ?? 0
    service.instances.nameSshPort(id, host.address.port)
    await untilRunning(page, id)
    await instanceRow(page, id).getByRole('button', { name: 'Open terminal' }).click()
    await page.getByRole('button', { name: 'Trust this host' }).click()

    await expect(main).toContainText('The instance doesn’t follow the SSH protocol')
    await expect(main).toContainText('takes at most 0 bytes in a packet')
    await expect(main).toContainText('You’re still charged for the instance.')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath('disconnected.png') })

    await tabs.first().click()
    await type(page, 'echo on-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^on-42$/m)
  } finally {
    host.close()
  }
})
