import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import {
  accountFolder,
  instanceRow,
  instancesOf,
  openTerminal,
  rent,
  screenText,
  untilRunning,
} from '../support/actions.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('where the direct port is blocked, the service’s SSH address is used, which is said, remembered, and told to VS Code', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })
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

  const listedAt = instanceRow(page).getByRole('cell').filter({ hasText: '127.0.0.1:' })

  await test.step('the list and the palette have the address that is in use', async () => {
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect(listedAt).toHaveText(proxy)
    await page.keyboard.press('Control+K')
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await palette.getByRole('combobox').fill(String(id))
    await expect(palette.getByRole('option', { name: proxy })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the route says what is in use, and what comes next', async () => {
    await showDetails(page)
    await expect(details).toContainText('Connected to the service’s SSH address')
    await expect(details).toContainText(
      'Slipway tries the service’s SSH address first, then the direct address. Editors and the SSH configuration get the service’s SSH address.',
    )
    await details.getByRole('button', { name: 'Change address, route, and agent forwarding' }).click()
    await details.getByRole('radio', { name: 'Automatic' }).scrollIntoViewIfNeeded()
    expect(await findings(page)).toEqual([])
    await picture('proxy-in-use')
    await page.setViewportSize({ width: 960, height: 700 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await details.getByRole('radio', { name: 'Service’s SSH address' }).scrollIntoViewIfNeeded()
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
    await details.getByRole('radio', { name: 'Direct address' }).click()
    await expect(details).toContainText('Slipway uses the direct address only (chosen here)')
    await service.instances.blockSsh(id, 'direct', 'refused')
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await expect(page.getByRole('main')).toContainText(direct)
  })

  await test.step('both blocked are one error that names both', async () => {
    await service.instances.blockSsh(id, 'proxy', 'refused')
    await page.getByRole('link', { name: /^Instances/ }).click()
    // Chosen, and not connected.
    await expect(listedAt).toHaveText(direct)
    await showDetails(page)
    await details.getByRole('button', { name: 'Change address, route, and agent forwarding' }).click()
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

test('another host key at the other address is an alarm, which says where the instance showed its own', async ({
  world,
}) => {
  const { service, app } = world
  const { page } = app
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  const id = instance?.id ?? 0
  const direct = `127.0.0.1:${instance?.ports['22/tcp']?.[0]?.HostPort ?? ''}`
  // Whoever answers at the service's address isn't the host that was logged in to at the direct one: nobody answers there
  // before the key is another one.
  await service.instances.blockSsh(id, 'proxy', 'refused')
  await openTerminal(page)
  await service.instances.blockSsh(id, 'direct', 'refused')
  await service.instances.replaceHostKey(id)
  await service.instances.blockSsh(id, 'proxy', null)
  const alarm = page.getByRole('dialog', { name: 'Host key changed' })
  await expect(alarm).toContainText(`127.0.0.1:${instance?.ssh_port ?? 0} shows a different host key`, {
    timeout: 60_000,
  })
  await expect(alarm).toContainText(`This instance showed another key before, last at ${direct}.`)
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('alarm.png') })
  await alarm.getByRole('button', { name: 'Don’t connect' }).click()

  // At the direct one, which another instance may have by now, there's a way past it.
  await service.instances.blockSsh(id, 'proxy', 'refused')
  await service.instances.blockSsh(id, 'direct', null)
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await expect(alarm).toContainText(`${direct} shows a different host key`)
  await expect(alarm).toContainText('choose the service’s SSH address.')
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('alarm-direct.png') })
  await alarm.getByRole('button', { name: 'Don’t connect' }).click()
})

test('a key that nobody is known by, stored for the other address, is asked about with a warning, once', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  const other = `127.0.0.1:${instance?.ssh_port ?? 0}`
  const direct = instance?.ports['22/tcp']?.[0]?.HostPort ?? ''
  // It's asked about the direct one, however late that answers.
  await service.instances.blockSsh(instance?.id ?? 0, 'proxy', 'refused')

  await test.step('so is its own key, if known_hosts has it for the address and nobody trusted it for this instance', async () => {
    const { stdout } = await promisify(execFile)('ssh-keyscan', ['-t', 'ed25519', '-p', direct, '127.0.0.1'])
    await writeFile(join(userData, 'known_hosts'), stdout)
    await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
    const listed = page.getByRole('dialog', { name: 'Host key not trusted for this instance' })
    await expect(listed).toContainText('Slipway has no record that you trusted it for this instance')
    expect(await findings(page)).toEqual([])
    await picture('listed-light')
    await page.setViewportSize({ width: 960, height: 700 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture('listed-narrow-dark')
    await page.setViewportSize({ width: 1280, height: 713 })
    await page.emulateMedia({ colorScheme: 'light' })
    await listed.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: /^Instances/ }).click()
  })

  // As another account's instance leaves it behind.
  const [, key] = makeEd25519KeyPair('left').publicKey.line.split(' ')
  await writeFile(
    join(userData, 'known_hosts'),
    `[127.0.0.1]:${instance?.ssh_port ?? 0} ssh-ed25519 ${key ?? ''}\n`,
  )
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
  const question = page.getByRole('dialog', { name: 'Another host key is stored' })
  await expect(question).toContainText(
    `Another host key is stored for the instance’s other address, ${other}.`,
  )
  expect(await findings(page)).toEqual([])
  await expect(question).toContainText(
    'The other address’s stored key stays: Slipway warns you when it connects there.',
  )
  await picture('stored-light')
  await page.setViewportSize({ width: 960, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture('stored-narrow-dark')
  await question.getByRole('button', { name: 'Trust this host' }).click()
  await expect.poll(() => screenText(page)).toContain('instance-')
  // The other address's key is for whoever answers there to disprove.
  expect(await readFile(join(userData, 'known_hosts'), 'utf8')).toContain(key)
})

test('Editors and the SSH configuration get the address that answers, also of an instance that Slipway never connected to', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  const id = instance?.id ?? 0
  const proxyPort = instance?.ssh_port ?? 0
  const direct = `127.0.0.1:${instance?.ports['22/tcp']?.[0]?.HostPort ?? ''}`
  const details = page.getByRole('region', { name: `Details of instance ${id}` })
  const openedLinks = () => readFile(join(userData, 'opened-links.txt'), 'utf8').catch(() => '')

  await test.step('neither answers: the direct one is handed over, and that is said', async () => {
    await service.instances.blockSsh(id, 'direct', 'silent')
    await service.instances.blockSsh(id, 'proxy', 'silent')
    await showDetails(page)
    await expect(details).toContainText('Neither answered when Slipway last checked')
    await details.getByRole('button', { name: 'Open in VS Code' }).click()
    await expect(details).toContainText('Opened in VS Code, but no address answered')
    if (app.host === 'chromium') expect(await openedLinks()).toContain(`root@${direct}/root`)
    expect(await findings(page)).toEqual([])
    await picture('neither-answers')
  })

  await test.step('VS Code gets the service’s address, and so does the file for ssh', async () => {
    // One that is silent has a head start, which leaves a busy server half of the time to answer in.
    await service.instances.blockSsh(id, 'direct', 'refused')
    await service.instances.blockSsh(id, 'proxy', null)
    await details.getByRole('button', { name: 'Open in VS Code' }).click()
    await expect(details).toContainText('Editors and the SSH configuration get the service’s SSH address.')
    await expect(details).not.toContainText('no address answered')
    if (app.host === 'chromium') await expect.poll(openedLinks).toContain(`root@127.0.0.1:${proxyPort}/root`)
    await page.getByRole('button', { name: 'Add to SSH configuration…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add the line' }).click()
    await expect(page.getByText(`ssh slipway-${id}`, { exact: true })).toBeVisible()
    const ownConfig = join(await accountFolder(userData), 'ssh_config')
    expect(await readFile(ownConfig, 'utf8')).toContain(`Port ${proxyPort}`)
    await picture('service-answers')
  })

  await test.step('after a restart, an instance that nobody looks at is checked before it gets its entry', async () => {
    const ownConfig = join(await accountFolder(userData), 'ssh_config')
    await app.close()
    await writeFile(ownConfig, '# from a former run\n')
    await world.startAgain()
    const written = () => readFile(ownConfig, 'utf8')
    // A busy sshd may answer too late at first: then it's checked again a minute later.
    await expect.poll(written, { timeout: 90_000 }).toContain(`Port ${proxyPort}`)
    expect(await written()).toContain(`slipway-${id}`)
  })
})

async function showDetails(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(page)
    .getByText(/^running$/i)
    .click()
}
