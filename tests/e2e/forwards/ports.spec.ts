import { mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../simulator/free-port.ts'
import {
  clickAddress,
  instanceRow,
  instancesOf,
  openTerminal,
  rent,
  screenText,
  type,
} from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { watchFor } from '../support/passing-words.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a port that a program opens is offered, forwarded, opened by a click, named, and found again', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  await rent(page)
  await openTerminal(page)
  const id = (await instancesOf(service))[0]?.id ?? 0
  // As the kernel has it of an instance, and without what other programs of this computer listen on.
  const net = join(service.instances.homeOf(id) ?? '', '../root/proc/net')
  await mkdir(net, { recursive: true })
  const port = await findFreePort()
  const socket = `   0: 0100007F:${port.toString(16).toUpperCase()} 00000000:0000 0A 00000000:00000000 00:00000000 00000000\n`
  await writeFile(join(net, 'tcp'), '')
  const status = page.getByRole('group', { name: 'Terminal status' })
  const opened = async (): Promise<string> => {
    const lines = await readFile(join(userData, 'opened-links.txt'), 'utf8').catch(() => '')
    return lines.trimEnd().split('\n').at(-1) ?? ''
  }

  await test.step('a program that starts is offered without taking the keyboard', async () => {
    const serve = `require('http').createServer((q,s)=>s.end('page '+q.url)).listen(${port},'127.0.0.1')`
    await type(page, `clear; ${process.execPath} -e "${serve}" & sleep 1; echo served-$((40 + 2))\n`)
    await expect.poll(() => screenText(page)).toMatch(/^served-42$/m)
    // It's new where a look before hasn't seen it; a busy instance may leave one without an answer.
    await expect(async () => {
      await writeFile(join(net, 'tcp'), '')
      await page.waitForTimeout(6_000)
      await writeFile(join(net, 'tcp'), socket)
      await expect(status.getByRole('button', { name: `Forward port ${port}` })).toBeVisible({
        timeout: 12_000,
      })
    }).toPass({ timeout: 150_000 })
    await expect(status.getByRole('status').getByText(`Port ${port} is open`)).toBeVisible()
    await expect(page.locator('.xterm-helper-textarea')).toBeFocused()
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/port-offer.png' })
    await page.setViewportSize({ width: 960, height: 600 })
    await page.screenshot({ path: 'out/port-offer-960.png' })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('Forward makes its forward, and the page answers through it', async () => {
    await status.getByRole('button', { name: `Forward port ${port}` }).click()
    await expect(status.getByRole('button', { name: `Forward port ${port}` })).toHaveCount(0)
    const forwards = status.getByRole('link', { name: `1 port forward: port ${port}` })
    await expect(forwards).toBeVisible()
    await expect(page.locator('.xterm-helper-textarea')).toBeFocused()
  })

  const dialog = page.getByRole('dialog', { name: 'Open this address of the instance?' })

  await test.step('a click on what it prints keeps path and query, and no argument has the token', async () => {
    const address = `http://localhost:${port}/tree?token=canary42`
    await type(page, `clear; echo "${address}"\n`)
    await clickAddress(page, address, `Forwards port ${port} of instance ${id} and opens it`)
    if (app.host !== 'chromium') return
    await expect.poll(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}$/)
    const reply = await fetch(await opened(), { redirect: 'manual' })
    const location = reply.headers.get('location') ?? ''
    expect(location).toMatch(/^http:\/\/127\.\d+\.\d+\.\d+:\d+\/tree\?token=canary42$/)
    expect(await (await fetch(location)).text()).toBe('page /tree?token=canary42')
    const log = await readFile(join(userData, 'logs', 'main.log'), 'utf8').catch(() => '')
    expect(log).not.toContain('canary42')
  })

  await test.step('where no browser opens, the reason stays to be read, and it can be tried again', async () => {
    // Nothing can be written there.
    const links = join(userData, 'opened-links.txt')
    await rename(links, `${links}.kept`)
    await mkdir(links)
    await type(page, `clear; echo http://localhost:${port}/again\n`)
    await clickAddress(
      page,
      `http://localhost:${port}/again`,
      `Forwards port ${port} of instance ${id} and opens it`,
    )
    await expect(dialog).toContainText('Couldn’t open your browser')
    await expect(dialog).toContainText('Copy the address from Port forwards')
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/local-link-failed.png' })
    await rmdir(links)
    await rename(`${links}.kept`, links)
    const before = await opened()
    await dialog.getByRole('button', { name: 'Forward and open' }).click()
    await expect(dialog).toBeHidden()
    expect(await opened()).not.toBe(before)
  })

  await test.step('a text that leads elsewhere, and a port of the system’s, are asked about', async () => {
    const hidden = String.raw`printf '\e]8;;http://localhost:22/\e\\http://localhost:8888/\e]8;;\e\\\n'`
    await type(page, `clear; ${hidden}\n`)
    await clickAddress(page, 'http://localhost:8888/', `Forwards port 22 of instance ${id} and opens it`)
    await expect(dialog).toContainText('http://localhost:22/')
    await expect(dialog).toContainText(`Forwards port 22 of instance ${id} and opens it`)
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/local-link.png' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await type(page, 'clear; echo http://localhost:22/\n')
    await clickAddress(page, 'http://localhost:22/', `Forwards port 22 of instance ${id} and opens it`)
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('a name is its user’s, and its host name goes by it', async () => {
    await status.getByRole('link', { name: /port forward/ }).click()
    const row = page.getByRole('list', { name: 'Port forwards' }).getByRole('listitem')
    await row.getByRole('button', { name: /^Edit/ }).click()
    const form = page.getByRole('form', { name: 'Edit the port forward' })
    await form.getByLabel('Name (optional)').fill('Web UI')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('Web UI')
    await expect(row).toContainText(new RegExp(`http://web-ui-${id}\\.localhost:\\d+/`))
    await expect(row.getByText('On', { exact: true })).toBeVisible()
    await row.scrollIntoViewIfNeeded()
    expect(await findings(page)).toEqual([])
    await page.screenshot({ path: 'out/forward-names.png' })
    await page.getByRole('link', { name: /^Instances/ }).click()
    await expect(instanceRow(page, id).getByRole('img', { name: 'Forwarded: Web UI' })).toBeVisible()
    await page.screenshot({ path: 'out/forwards-row.png' })
    await page.goBack()
  })

  await test.step('the palette opens it and stops it', async () => {
    const find = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+K')
      await page.getByRole('dialog').getByRole('combobox').fill(text)
      await expect(page.getByRole('option').first()).toContainText('Web UI')
      if (text.startsWith('open')) await page.screenshot({ path: 'out/palette-forward.png' })
      await page.keyboard.press('Enter')
    }
    await find('open web ui')
    if (app.host === 'chromium')
      await expect.poll(opened).toMatch(new RegExp(`^http://web-ui-${id}\\.localhost:\\d+/$`))
    await find('stop forwarding')
    const row = page.getByRole('list', { name: 'Port forwards' }).getByRole('listitem')
    await expect(row.getByText('Off', { exact: true })).toBeVisible()
    // What listens has a button of its own again, which goes by the forward that is there.
    await page.getByRole('button', { name: `Open port ${port}`, exact: true }).click()
    await expect(row.getByText('On', { exact: true })).toBeVisible()
    await expect(row).toHaveCount(1)
  })

  await test.step('an ended terminal says that its instance’s ports can’t be opened', async () => {
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await type(page, `clear; echo http://localhost:${port}/; exit\n`)
    const before = await opened()
    const told = await watchFor(
      page.locator('[role="group"][aria-label="Terminal status"]'),
      'Reconnect this terminal first to open its instance’s ports',
    )
    await expect(status).toContainText('Ended')
    await clickAddress(
      page,
      `http://localhost:${port}/`,
      `Forwards port ${port} of instance ${id} and opens it`,
    )
    await expect.poll(told).toBe(1)
    expect(await opened()).toBe(before)
  })
})
