import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { accountFolder, openTerminal, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { rentMachine } from '../support/files-actions.ts'
import { untilKept } from '../support/on-disk.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** In the dialog of the only terminal, which is left open. */
async function chooseTool(page: Page, tool: string): Promise<Locator> {
  await page.getByRole('tab').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'tmux or screen…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: tool }).click()
  return dialog
}

for (const { tool, hint } of [
  { tool: 'tmux', hint: /^\[train\]/m },
  { tool: 'screen', hint: null },
])
  test(`what runs in ${tool} goes on while the link is lost, and while Slipway is closed`, async ({
    world,
  }) => {
    let page = world.app.page
    const { id, sshPort } = await rentMachine(page, world.service)
    const link = await startTcpProxy({ host: '127.0.0.1', port: sshPort })
    world.service.instances.nameSshPort(id, link.address.port)
    await openTerminal(page)
    const dialog = await chooseTool(page, tool)
    await dialog.getByLabel('Session').fill('a b')
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect(dialog).toContainText('letters, digits')
    expect(await findings(page)).toEqual([])
    await dialog.getByLabel('Session').fill('train')
    await dialog.getByRole('button', { name: 'Connect' }).click()
    const status = page.getByRole('group', { name: 'Terminal status' })
    await expect(status).toContainText(`${tool} train`)
    await expect(status).toContainText('Connected')
    if (hint) await expect.poll(() => screenText(page)).toMatch(hint)
    await expect.poll(() => screenText(page)).toMatch(/root@.*#\s*$/m)
    // The prompt may be that of the shell before, and what is typed then is lost: screen discards it when it starts.
    await expect(async () => {
      await type(page, 'clear; kept=$((40 + 2)); echo "it is $kept"\n')
      await expect.poll(() => screenText(page), { timeout: 5_000 }).toMatch(/^it is 42\s*$/m)
    }).toPass({ timeout: 30_000 })

    link.fallSilent()
    link.cut()
    await expect(
      page.getByText(/Processes in the session keep running while the instance runs/),
    ).toBeVisible()
    await expect(page.getByText(`reattaches to the session: ${tool} train.`)).toBeVisible()
    await expect(page.getByText(/may have ended/)).toHaveCount(0)
    await page.screenshot({ path: test.info().outputPath(`${tool}-lost.png`) })
    link.goOn()
    await expect(status).toContainText('Connected')
    await type(page, 'clear; echo "again $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^again 42\s*$/m)
    await type(page, 'clear; echo "it is $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^it is 42\s*$/m)

    const file = join(await accountFolder(world.userData), 'terminals.json')
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('"train"')
    await world.app.kill()
    page = (await world.startAgain()).page
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await expect(page.getByText('The session keeps running while the instance runs')).toBeVisible()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect.poll(() => screenText(page)).toMatch(/^it is 42\s*$/m)
    // It may be what was kept of the last time, before anything is connected.
    await expect(page.getByRole('group', { name: 'Terminal status' })).toContainText('Connected')
    await type(page, 'echo "still $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^still 42\s*$/m)
    await page.screenshot({ path: test.info().outputPath(`${tool}.png`) })
    link.close()
  })

test('where tmux is missing nothing claims that the session goes on', async ({ world }) => {
  let { page } = world.app
  const { id, sshPort } = await rentMachine(page, world.service)
  const home = world.service.instances.homeOf(id) ?? ''
  await mkdir(join(home, 'bare'))
  await symlink('/bin/sh', join(home, 'bare', 'sh'))
  // Until the login shell sets its own.
  await writeFile(join(home, '.bashrc'), 'PATH=$HOME/bare\n')
  const link = await startTcpProxy({ host: '127.0.0.1', port: sshPort })
  world.service.instances.nameSshPort(id, link.address.port)
  await openTerminal(page)
  const dialog = await chooseTool(page, 'tmux')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  const status = page.getByRole('group', { name: 'Terminal status' })
  await expect(status).toContainText('No tmux: plain shell')
  await expect.poll(() => screenText(page)).toContain('tmux is not installed on this instance')
  await page.screenshot({ path: test.info().outputPath('no-tmux.png') })
  expect(await findings(page)).toEqual([])

  await page
    .getByRole('button', { name: /^Close/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Close this terminal?' })).toContainText(
    'The shell and everything running in it will end.',
  )
  await page.getByRole('button', { name: 'Keep open' }).click()

  link.fallSilent()
  link.cut()
  await expect(page.getByText(/may have ended/)).toBeVisible()
  await expect(page.getByText(/session goes on/)).toHaveCount(0)

  await untilKept(join(await accountFolder(world.userData), 'terminals.json'), '"isSessionMissing": true')
  await world.app.kill()
  page = (await world.startAgain()).page
  await page.getByRole('link', { name: /^Terminals/ }).click()
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
  await expect(page.getByText(/session goes on/)).toHaveCount(0)
  await rm(join(home, '.bashrc'))
  link.goOn()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByRole('group', { name: 'Terminal status' })).toContainText('tmux slipway-1')
})
