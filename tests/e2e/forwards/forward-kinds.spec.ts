import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { findFreePort } from '../../simulator/free-port.ts'
import { chooseOffer, instanceRow, instancesOf, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { addPort } from '../support/rent-actions.ts'
import { expect, test as base } from '../support/world-test.ts'

interface Site {
  readonly port: number
  readonly text: string
}

/** A page and a notebook. The machine is this computer, so that they are there as well as here. */
const test = base.extend<{ sites: { readonly page: Site; readonly notebook: Site } }>({
  sites: async ({ playwright: _ }, use) => {
    const servers: Server[] = []
    const serve = async (text: string): Promise<Site> => {
      const port = await findFreePort()
      const server = createServer((request, response) => void response.end(`${text} ${request.url ?? ''}`))
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
      return { port, text }
    }
    await use({ page: await serve('a page'), notebook: await serve('a notebook') })
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  },
})
test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('forwards of every kind lead where they say, and come back after the machine was away', async ({
  world,
  sites,
}) => {
  const { service, app, userData } = world
  const { page } = app
  await chooseOffer(page)
  await addPort(page, 1, '9000', String(sites.notebook.port))
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await untilRunning(page)
  await instanceRow(page)
    .getByText(/^running$/i)
    .click()
  const id = (await instancesOf(service))[0]?.id ?? 0
  const forwards = page.getByRole('list', { name: 'Port forwards' })
  const row = (name: string) => forwards.getByRole('listitem', { name })

  await test.step('a notebook is opened with its token by one click, on the next free port', async () => {
    const folder = join(service.instances.homeOf(id) ?? '', '.local', 'share', 'jupyter', 'runtime')
    await mkdir(folder, { recursive: true })
    const told = { port: sites.notebook.port, base_url: '/lab/', secure: false, token: 'canary42' }
    await writeFile(join(folder, 'jpserver-7.json'), JSON.stringify(told))
    await page.getByRole('button', { name: `Open port ${sites.notebook.port}`, exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Unknown host' })
      .getByRole('button', { name: 'Trust this host' })
      .click()
    const notebook = forwards.getByRole('listitem', {
      name: `→ localhost:${sites.notebook.port} on the instance`,
    })
    await expect(notebook.getByText('On', { exact: true })).toBeVisible()
    const opened = () => readFile(join(userData, 'opened-links.txt'), 'utf8').catch(() => '')
    await expect.poll(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}\n$/)
    const reply = await fetch((await opened()).trim(), { redirect: 'manual' })
    const address = reply.headers.get('location') ?? ''
    expect(Number(new URL(address).port)).toBeGreaterThan(sites.notebook.port)
    await expect(notebook).toContainText(`localhost:${new URL(address).port} on this computer`)
    expect(await textOf(address)).toBe('a notebook /lab/?token=canary42')
  })

  let local = ''
  await test.step('where a port is in use, the next free one is offered and taken', async () => {
    await add(page, 'Local (-L)', sites.page.port, `127.0.0.1:${sites.page.port}`)
    const failed = row(
      `localhost:${sites.page.port} on this computer → 127.0.0.1:${sites.page.port} on the instance`,
    )
    await expect(failed).toContainText(`Port ${sites.page.port} is in use on this computer`)
    const offer = failed.getByRole('button', { name: /^Use port \d+$/ })
    const free = Number((await offer.innerText()).replace('Use port ', ''))
    expect(free).toBeGreaterThan(sites.page.port)
    await offer.scrollIntoViewIfNeeded()
    await page.screenshot({ path: test.info().outputPath('port-in-use.png') })
    expect(await findings(page)).toEqual([])
    await offer.click()
    local = `localhost:${free} on this computer → 127.0.0.1:${sites.page.port} on the instance`
    await expect(row(local).getByText('On', { exact: true })).toBeVisible()
    expect(await textOf(`http://127.0.0.1:${free}/`)).toBe('a page /')
  })

  const thence = await findFreePort()
  const remote = `localhost:${thence} on the instance → 127.0.0.1:${sites.page.port} on this computer`
  await test.step('a remote forward brings what comes to the machine here', async () => {
    await add(page, 'Remote (-R)', thence, `127.0.0.1:${sites.page.port}`)
    await expect(row(remote).getByText('On', { exact: true })).toBeVisible()
    expect(await textOf(`http://127.0.0.1:${thence}/`)).toBe('a page /')
    await expect(row(remote)).toContainText(/[1-9]\d* B sent, [1-9]\d* B received/)
  })

  const socks = await findFreePort()
  const dynamic = `SOCKS proxy at localhost:${socks} on this computer → any host that the instance reaches`
  await test.step('a SOCKS 5 proxy leads curl by name, and says where nothing listens', async () => {
    await add(page, 'SOCKS proxy (-D)', socks)
    await expect(row(dynamic).getByText('On', { exact: true })).toBeVisible()
    expect(await throughSocks(socks, sites.page.port)).toBe('a page /')
    await expect(row(dynamic)).toContainText(/[1-9]\d* B sent, [1-9]\d* B received/)
    // curl's code for a proxy that could not get there.
    await expect(throughSocks(socks, await findFreePort())).rejects.toMatchObject({ code: 97 })
    await expect(row(dynamic)).toContainText(
      'Nothing is listening at the address that the last connection asked for',
    )
  })

  await test.step('all of them come back by themselves', async () => {
    await service.instances.setSshd(id, 'down')
    for (const name of [local, remote, dynamic])
      await expect(row(name).getByText('Reconnecting', { exact: true })).toBeVisible()
    await expect(textOf(`http://127.0.0.1:${thence}/`)).rejects.toThrow()
    await row(local).getByRole('button', { name: /^Open/ }).click()
    const lost = page.getByText('The connection to the instance is lost. Slipway is reconnecting.')
    await expect(lost).toBeVisible()
    expect(await findings(page)).toEqual([])
    await lost.scrollIntoViewIfNeeded()
    await page.screenshot({ path: test.info().outputPath('reconnecting.png') })
    await service.instances.setSshd(id, 'up')
    for (const name of [local, remote, dynamic])
      await expect(row(name).getByText('On', { exact: true })).toBeVisible({ timeout: 60_000 })
    await expect(lost).toBeHidden()
    expect(await textOf(`http://127.0.0.1:${thence}/`)).toBe('a page /')
    expect(await throughSocks(socks, sites.page.port)).toBe('a page /')
    await row(remote).getByRole('button', { name: /^Stop/ }).click()
    await expect(row(remote).getByText('Off', { exact: true })).toBeVisible()
    await expect.poll(() => textOf(`http://127.0.0.1:${thence}/`).catch(() => 'gone')).toBe('gone')
  })
})

/** Fills in and sends the form for a further forward. */
async function add(page: Page, kind: string, port: number, to?: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Forward a port' })
  await form.getByLabel('Type', { exact: true }).click()
  await page.getByRole('option', { name: kind }).click()
  await form.getByLabel(/^Port on /).fill(String(port))
  if (to !== undefined) await form.getByLabel(/^Target on /).fill(to)
  await form.getByRole('button', { name: 'Forward a port' }).click()
}

/** Each on a connection of its own. */
async function textOf(address: string): Promise<string> {
  const response = await fetch(address, { headers: { connection: 'close' } })
  return await response.text()
}

async function throughSocks(proxyPort: number, port: number): Promise<string> {
  const proxy = ['--noproxy', '', '--proxy', `socks5h://127.0.0.1:${proxyPort}`]
  const { stdout } = await promisify(execFile)('curl', [
    '-sS',
    '--max-time',
    '20',
    ...proxy,
    `http://localhost:${port}/`,
  ])
  return stdout
}
