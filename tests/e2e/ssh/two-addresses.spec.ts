import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  instanceRow,
  instancesOf,
  openTerminal,
  rent,
  screenText,
  setUp,
  untilRunning,
} from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a blocked direct port is gone round by the service’s proxy, which is said, remembered, and told to VS Code', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await setUp(page, service)
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  const id = instance?.id ?? 0
  const proxy = `127.0.0.1:${instance?.ssh_port ?? 0}`
  const direct = `127.0.0.1:${instance?.ports['22/tcp']?.[0]?.HostPort ?? ''}`
  const details = page.getByRole('region', { name: `Details of instance ${id}` })

  await test.step('the terminal opens although the direct port says nothing', async () => {
    await service.instances.blockSsh(id, 'direct', 'silent')
    await openTerminal(page)
    await expect(page.getByRole('group', { name: 'Terminal status' })).toContainText(proxy)
  })

  await test.step('the way says what is in use, and what comes next', async () => {
    await showDetails(page)
    await expect(details).toContainText('Connected at the service’s proxy')
    await expect(details).toContainText('Address: The service’s proxy first, then the direct address')
    await details.getByRole('button', { name: 'Change the way to it and agent forwarding' }).click()
    await details.getByRole('radio', { name: 'Automatic' }).scrollIntoViewIfNeeded()
    expect(await findings(page)).toEqual([])
    await picture('proxy-in-use')
    await page.setViewportSize({ width: 960, height: 700 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await details.getByRole('radio', { name: 'Through the service’s proxy' }).scrollIntoViewIfNeeded()
    await picture('proxy-in-use-narrow-dark')
    await page.setViewportSize({ width: 1280, height: 713 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Open in VS Code' }).click()
    if (app.host === 'chromium')
      await expect
        .poll(() => readFile(join(userData, 'opened-links.txt'), 'utf8').catch(() => ''))
        .toContain(`root@${proxy}/root`)
  })

  await test.step('the direct address alone is chosen, and fails alone', async () => {
    await details.getByRole('radio', { name: 'Direct', exact: true }).click()
    await expect(details).toContainText('Address: The direct address only (chosen here)')
    await service.instances.blockSsh(id, 'direct', 'refused')
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await expect(page.getByRole('main')).toContainText(direct)
  })

  await test.step('both blocked are one error that names both', async () => {
    await service.instances.blockSsh(id, 'proxy', 'refused')
    await showDetails(page)
    await details.getByRole('button', { name: 'Change the way to it and agent forwarding' }).click()
    await details.getByRole('radio', { name: 'Automatic' }).click()
    await expect(details).toContainText('first, then the')
    await page.getByRole('link', { name: /^Terminals/ }).click()
    const main = page.getByRole('main')
    await expect(main).toContainText(`${proxy} refused the connection.`, { timeout: 60_000 })
    await expect(main).toContainText(`${direct} refused the connection.`)
    expect(await findings(page)).toEqual([])
    await picture('both-blocked')
  })

  await test.step('it comes back at the direct one', async () => {
    await service.instances.blockSsh(id, 'direct', null)
    const status = page.getByRole('group', { name: 'Terminal status' })
    await expect(status).toContainText(direct, { timeout: 60_000 })
    await expect.poll(() => screenText(page)).toContain('instance-')
  })
})

test('another host key at the other address is an alarm that names both', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  await setUp(page, service)
  await rent(page)
  await openTerminal(page)
  const [instance] = await instancesOf(service)
  const id = instance?.id ?? 0
  // Whoever answers at the proxy isn't the host that was trusted at the direct address.
  await service.instances.blockSsh(id, 'direct', 'refused')
  await service.instances.replaceHostKey(id)
  const alarm = page.getByRole('dialog', { name: 'Host key changed' })
  await expect(alarm).toContainText('The instance’s two addresses show different host keys')
  await expect(alarm).toContainText(`127.0.0.1:${instance?.ssh_port ?? 0} shows another key than`)
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('alarm.png') })
  await alarm.getByRole('button', { name: 'Do not connect' }).click()
})

async function showDetails(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(page)
    .getByText(/^running$/i)
    .click()
}
