import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import {
  instanceRow,
  instancesOf,
  openTerminal,
  rent,
  screenText,
  setUp,
  type,
  untilRunning,
} from '../support/actions.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { findings } from '../support/axe.ts'
import { startServiceSwitch } from '../../support/service-switch.ts'
import { expect, test, testWithoutAccount } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

const oldAddress = /Couldn’t get the address from the service: this is the last known one, as of \d{4}-/

/** By the palette: from the keyboard. */
async function goTo(page: Page, entry: string): Promise<void> {
  await page.keyboard.press('Control+Shift+K')
  await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill(entry)
  await page.keyboard.press('Enter')
}

/** Asks for the list, and sees that nobody answers. */
async function seeThatItIsAway(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(page.getByText('The service refused the connection')).toBeVisible()
}

/** Axe finds nothing, and pictures are taken: light, and dark in a narrow window. */
async function inEachLook(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const look of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: look })
    await expect(page.locator('html')).toHaveClass(new RegExp(look))
    await page.setViewportSize(look === 'dark' ? { width: 960, height: 600 } : size)
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: test.info().outputPath(`${name}-${look}.png`) })
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(size)
}

testWithoutAccount(
  'when the service is lost, terminals, files, forwards, and commands connect at the last known address',
  async ({ world }) => {
    const { page } = world.app
    const { service, off, on } = await startServiceSwitch(world.service)
    await setUp(page, service)
    await rent(page)
    await untilRunning(page)
    const [instance] = await instancesOf(service)
    await off()
    await seeThatItIsAway(page)

    await test.step('what the service is needed for is off, and says why', async () => {
      const row = instanceRow(page)
      for (const name of ['Stop', 'Destroy']) {
        await expect(row.getByRole('button', { name })).toBeDisabled()
        await expect(row.getByRole('button', { name })).toHaveAttribute(
          'title',
          'Slipway can’t reach the service',
        )
      }
      await expect(row.getByRole('button', { name: 'Open terminal' })).toBeEnabled()
      await row.getByText(/^running$/i).click()
      await expect(
        page.getByText(/Terminals, files, and port forwards use the last known address, as of .* ago/),
      ).toBeVisible()
      await inEachLook(page, 'details')
    })

    await test.step('a terminal, from the keyboard', async () => {
      await page.keyboard.press('Control+K')
      const palette = page.getByRole('dialog', { name: 'Go to' })
      await palette.getByRole('combobox').fill(`stop instance ${instance?.id}`)
      await expect(palette.getByRole('option').first()).toContainText('Slipway can’t reach the service')
      await page.keyboard.press('Escape')
      await goTo(page, `open terminal instance ${instance?.id}`)
      const dialog = page.getByRole('dialog', { name: 'Unknown host' })
      await expect(dialog.getByText(oldAddress)).toBeVisible()
      await expect(dialog).toContainText(
        /the key also counts at the instance’s other address, 127\.0\.0\.1:\d+\./,
      )
      await page.screenshot({ path: test.info().outputPath('unknown-host.png') })
      expect(await findings(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Trust this host' }).click()
      await expect.poll(() => screenText(page)).toContain('instance-')
      await type(page, 'echo works-$((40 + 2))\n')
      await expect.poll(() => screenText(page)).toMatch(/^works-42$/m)
      await expect(page.getByText(oldAddress)).toBeVisible()
      await inEachLook(page, 'terminal')
    })

    await test.step('files', async () => {
      await goTo(page, `files of instance ${instance?.id}`)
      const there = page.getByRole('region', { name: 'The instance' })
      await expect(there.getByText('This folder is empty.').or(there.getByRole('row').nth(1))).toBeVisible()
      await expect(page.getByText(oldAddress)).toBeVisible()
      await inEachLook(page, 'files')
      await page.getByRole('link', { name: 'The instance' }).click()
    })

    await test.step('a forward', async () => {
      const there = createServer((_, response) => void response.end('a page of the machine'))
      await new Promise<void>((resolve) => there.listen(0, '127.0.0.1', resolve))
      const address = there.address()
      const target = typeof address === 'object' && address !== null ? address.port : 0
      const port = await findFreePort()
      const form = page.getByRole('form', { name: 'Forward a port' })
      await form.getByLabel('Port on this computer').fill(String(port))
      await form.getByLabel('Target on the instance').fill(`127.0.0.1:${target}`)
      await form.getByRole('button', { name: 'Forward a port' }).click()
      const row = page.getByRole('list', { name: 'Port forwards' }).getByRole('listitem')
      await expect(row.getByText('On', { exact: true })).toBeVisible()
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('a page of the machine')
      there.close()
    })

    await test.step('a command', async () => {
      await page.getByRole('link', { name: /^Instances/ }).click()
      await instanceRow(page).getByRole('checkbox').click()
      await page.getByRole('link', { name: 'Run a command' }).click()
      await page.getByLabel('Command', { exact: true }).fill('echo ran-$((40 + 2))')
      await page.getByRole('button', { name: 'Run on 1 instance' }).click()
      const card = page.getByRole('region', { name: `Instance ${instance?.id}` })
      await expect(card.getByText('ran-42')).toBeVisible()
      await expect(card.getByText(oldAddress)).toBeVisible()
      await inEachLook(page, 'command')
    })

    await test.step('once the service answers, nothing of that is said any more', async () => {
      await page.getByRole('link', { name: /^Terminals/ }).click()
      await expect(page.getByText(oldAddress)).toBeVisible()
      await on()
      await page.getByRole('link', { name: /^Instances/ }).click()
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await expect(instanceRow(page).getByRole('button', { name: 'Destroy' })).toBeEnabled()
      await page.getByRole('link', { name: /^Terminals/ }).click()
      await expect(page.getByText(oldAddress)).toHaveCount(0)
      await type(page, 'echo still-$((40 + 2))\n')
      await expect.poll(() => screenText(page)).toMatch(/^still-42$/m)
    })
    await off()
  },
)

test('while the service fails, an instance that was last seen loading is connected to, and the page says how old that is', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  await service.instances.setFate(instance?.id ?? 0, 'loading')
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true })
  await refresh.click()
  const row = instanceRow(page)
  await expect(row.getByRole('button', { name: 'Open terminal' })).toBeDisabled()
  service.faults.add({ method: 'GET', path: '/api/v0/instances/*', kind: '503', times: 10_000 })
  await service.instances.setFate(instance?.id ?? 0, 'running')
  await refresh.click()
  await expect(row.getByRole('button', { name: 'Open terminal' })).toBeEnabled()
  // The service is still asked for what saves money.
  await expect(row.getByRole('button', { name: 'Stop' })).toBeEnabled()
  await row.getByText(/^Downloading/).click()
  await expect(
    page.getByText(/Terminals, files, and port forwards use the last known address, as of .* ago/),
  ).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Open terminal' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  await type(page, 'echo works-$((40 + 2))\n')
  await expect.poll(() => screenText(page)).toMatch(/^works-42$/m)
  await expect(page.getByText(oldAddress)).toBeVisible()
})

testWithoutAccount(
  'after a start without the service, terminals and forwards come back, and a changed host key is an alarm',
  async ({ world }) => {
    const { service, off } = await startServiceSwitch(world.service)
    const port = await findFreePort()
    const there = createServer((_, response) => void response.end('a page of the machine'))
    await new Promise<void>((resolve) => there.listen(0, '127.0.0.1', resolve))
    const address = there.address()
    const target = typeof address === 'object' && address !== null ? address.port : 0
    let page = world.app.page
    await setUp(page, service)
    await rent(page)
    await openTerminal(page)
    const [instance] = await instancesOf(service)
    await page.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(page)
      .getByText(/^running$/i)
      .click()
    const form = page.getByRole('form', { name: 'Forward a port' })
    await form.getByLabel('Port on this computer').fill(String(port))
    await form.getByLabel('Target on the instance').fill(`127.0.0.1:${target}`)
    await form.getByRole('button', { name: 'Forward a port' }).click()
    const forward = page.getByRole('list', { name: 'Port forwards' }).getByRole('listitem')
    await expect(forward.getByText('On', { exact: true })).toBeVisible()
    await world.app.close()
    await off()

    page = (await world.startAgain()).page
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect(instanceRow(page).getByRole('button', { name: 'Destroy' })).toBeDisabled()
    await expect(instanceRow(page).getByRole('button', { name: 'Open terminal' })).toBeEnabled()
    await page.screenshot({ path: test.info().outputPath('list.png') })
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.status, {
        timeout: 30_000,
      })
      .toBe(200)
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await type(page, 'echo back-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^back-42$/m)
    await expect(page.getByText(oldAddress)).toBeVisible()

    await page.setViewportSize({ width: 960, height: 600 })
    // As where the address has become another instance's.
    await world.service.instances.replaceHostKey(instance?.id ?? 0)
    const dialog = page.getByRole('dialog', { name: 'Host key changed' })
    await expect(dialog).toContainText('Slipway hasn’t connected, and nothing was sent')
    // The checkbox above it is out of sight in so low a window.
    await expect(dialog.getByRole('button', { name: 'Don’t connect' })).toBeFocused()
    await expect(dialog.getByText(oldAddress)).toBeVisible()
    await inEachLook(page, 'host-key-changed')
    await dialog.getByRole('button', { name: 'Don’t connect' }).click()
    await expect(page.getByText('Not connected: host key changed')).toBeVisible()
    there.close()
  },
)
