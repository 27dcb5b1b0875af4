import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findFreePort } from '../../simulator/free-port.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { instanceRow, setUp } from '../support/actions.ts'
import { rentMachine } from '../support/files-actions.ts'
import {
  beginFirstTotp,
  button,
  code,
  declineCodes,
  enrollTotp,
  methods,
  openSecurity,
  verifyBy,
} from '../support/security-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { bootSeconds: [0, 1] } } })

const mib = 1024 * 1024

const goTo = (page: Page, path: string) =>
  page.evaluate((to) => {
    location.hash = to
  }, path)

async function replaceKey(page: Page, key: string): Promise<void> {
  await goTo(page, '/account')
  await page.getByLabel('New API key').fill(key)
  await page.getByRole('button', { name: 'Replace key' }).click()
  await expect(page.getByText('The new key is in use.')).toBeVisible()
}

/** What comes in on a connection is sent back. */
async function startEcho() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.pipe(socket).on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('a command, a transfer and a forward go on when the account’s key is replaced', async ({ world }) => {
  const { service } = world
  const { page } = world.app
  await setUp(page, service)
  const { id, sshPort, home } = await rentMachine(page, service)
  const link = await startTcpProxy({ host: '127.0.0.1', port: sshPort })
  service.instances.nameSshPort(id, link.address.port)
  const echo = await startEcho()
  const model = randomBytes(32 * mib)
  await writeFile(join(home, 'model.bin'), model)

  await goTo(page, `/instances/${id}`)
  const form = page.getByRole('form', { name: 'Forward a port' })
  const port = await findFreePort()
  await form.getByLabel('Port on this computer').fill(String(port))
  await form.getByLabel('Target on the instance').fill(`127.0.0.1:${echo.port}`)
  await form.getByRole('button', { name: 'Forward a port' }).click()
  await page
    .getByRole('dialog', { name: 'Unknown host' })
    .getByRole('button', { name: 'Trust this host' })
    .click()
  const forward = page.getByRole('list', { name: 'Port forwards' }).getByRole('listitem')
  await expect(forward.getByText('On', { exact: true })).toBeVisible()
  const through = connect({ host: '127.0.0.1', port })
  let isEnded = false
  through.on('close', () => (isEnded = true)).on('error', () => undefined)
  through.write('before')
  expect(String((await once(through, 'data'))[0])).toBe('before')

  await goTo(page, '/instances')
  await instanceRow(page).getByRole('checkbox').click()
  await page.getByRole('link', { name: 'Run a command' }).click()
  await page
    .getByLabel('Command', { exact: true })
    .fill('echo begun; while [ ! -e go-on ]; do sleep 0.1; done; echo went on')
  await page.getByRole('button', { name: /^Run on/ }).click()
  const place = page.getByRole('region', { name: `Instance ${id}` })
  await expect(place.getByText('begun', { exact: true })).toBeVisible()

  await goTo(page, `/instances/${id}/files`)
  const transfers = page.getByRole('region', { name: 'Transfers' })
  await page
    .getByRole('region', { name: 'The instance' })
    .getByRole('checkbox', { name: 'Select model.bin' })
    .click()
  const former = service.key
  const next = service.keys.create(former)
  link.fallSilent(model.length / 2)
  await page.getByRole('button', { name: 'Download' }).click()
  await expect.poll(link.isSilent).toBe(true)
  const connections = link.open()

  await replaceKey(page, next)
  service.keys.revoke(former)

  await test.step('the transfer goes on', async () => {
    await goTo(page, `/instances/${id}/files`)
    // It has not begun anew: then it would still be looking for what to copy.
    await expect.soft(transfers.getByRole('listitem')).toContainText(/Copying.*of 1 file/s)
    link.goOn()
    await expect.soft(transfers.getByRole('listitem')).toContainText('Done')
    const copied = await readFile(join(world.userData, 'home', 'model.bin')).catch(() => Buffer.alloc(0))
    expect.soft(copied.equals(model)).toBe(true)
  })
  await test.step('so does what goes through the forward', async () => {
    expect.soft(isEnded).toBe(false)
    through.write('after')
    const answer = isEnded ? 'the connection ended' : String((await once(through, 'data'))[0])
    expect.soft(answer).toBe('after')
  })
  await test.step('and the command, with its output', async () => {
    await goTo(page, '/run')
    await writeFile(join(home, 'go-on'), '')
    await expect.soft(place).toContainText(/Done.*begun\s+went on/s)
  })
  // All over the connection that stood before.
  expect.soft(link.open()).toBe(connections)
  through.destroy()
  link.close()
  echo.close()
})

test('a guided procedure goes on when the account’s key is replaced, at each of its steps', async ({
  world,
}) => {
  const { service } = world
  const { page } = world.app
  const owner = await openSecurity(page, service)
  let { key } = owner
  async function renewKey(): Promise<void> {
    const next = service.keys.create(key)
    await replaceKey(page, next)
    service.keys.revoke(key)
    key = next
    await goTo(page, '/security')
  }

  await test.step('a secret that was shown is the one that is set up', async () => {
    await beginFirstTotp(page, owner)
    const shown = await page.getByLabel('Key', { exact: true }).innerText()
    await renewKey()
    await expect(page.getByLabel('Key', { exact: true })).toHaveText(shown)
    await enrollTotp(page, service)
  })
  await test.step('codes that are shown once stay until they are saved', async () => {
    const codes = page.getByRole('list', { name: 'New codes' }).getByRole('listitem')
    await expect(codes).toHaveCount(10)
    const before = await codes.allInnerTexts()
    await renewKey()
    await expect(codes).toHaveText(before)
    await declineCodes(page)
    await button(page, 'Close').click()
    await expect(methods(page)).toHaveCount(1)
  })
  await test.step('a code that was sent is taken', async () => {
    await button(page, 'Sign in').click()
    await page.getByRole('radio', { name: /Email/ }).check()
    await button(page, 'Send code').click()
    await expect(page.getByText('A code is on its way')).toBeVisible()
    await renewKey()
    await expect(code(page)).toBeVisible()
    owner.requests()
    await verifyBy(page, owner.lastCode('email'))
    await expect(page.getByText('You’re signed in')).toBeVisible()
    expect(owner.requests()).toEqual(['POST tfa/'])
  })
})
