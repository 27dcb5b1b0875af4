import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { instancesOf, openTerminal, paste, rent, screenText, type, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test as base } from '../support/world-test.ts'

const test = base.extend<{ proxyTo: (port: number) => Promise<TcpProxy> }>({
  proxyTo: async ({ playwright: _ }, use) => {
    const proxies: TcpProxy[] = []
    await use(async (port) => {
      const proxy = await startTcpProxy({ host: '127.0.0.1', port })
      proxies.push(proxy)
      return proxy
    })
    for (const proxy of proxies) proxy.close()
  },
})
test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

const lineCount = 900
const lineOf = (number: number): string =>
  `${1000 + number} is the number of a line that is long enough to be told`

test('a link outlives new keys, and is taken up again when it has died, or the computer slept', async ({
  world,
  proxyTo,
}) => {
  const { service, app } = world
  const { page } = app
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(service)
  const id = instance?.id ?? 0
  await service.instances.configureSshd(id, ['RekeyLimit 16K', 'LogLevel DEBUG1'])
  const link = await proxyTo(instance?.ssh_port ?? 0)
  service.instances.nameSshPort(id, link.address.port)
  await openTerminal(page)

  const status = page.getByRole('group', { name: 'Terminal status' })
  const sshdLog = join(dirname(service.instances.homeOf(id) ?? ''), 'sshd.log')
  const keyExchanges = async (): Promise<number> =>
    (await readFile(sshdLog, 'utf8')).split('SSH2_MSG_NEWKEYS received').length - 1

  await test.step('new keys in the middle of a flood lose no line of it', async () => {
    const before = await keyExchanges()
    const line = lineOf(0).replace('1000', '$i')
    await type(
      page,
      `clear; for i in $(seq 1001 ${1000 + lineCount}); do echo "${line}"; done; echo over-$((40 + 2))\n`,
    )
    await expect.poll(() => screenText(page)).toMatch(/^over-42$/m)
    await page.keyboard.press('Control+Shift+F')
    const bar = page.getByRole('search', { name: 'Find in this terminal' })
    await bar.getByRole('button', { name: 'Regular expression' }).click()
    await bar.getByLabel('Find').fill(`^${lineOf(0).replace('1000', String.raw`1\d{3}`)}$`)
    await expect(bar.getByRole('status')).toHaveText(new RegExp(`^\\d+ of ${lineCount}$`))
    await bar.getByLabel('Find').press('Escape')
    await expect.poll(keyExchanges).toBeGreaterThanOrEqual(before + 3)
  })

  await test.step('new keys in the middle of a paste lose no byte of it', async () => {
    const before = await keyExchanges()
    const text = Array.from({ length: lineCount }, (_, number) => `${lineOf(number)}\n`).join('')
    await type(
      page,
      `clear; stty -echo; echo ready-$((40 + 2)); head -n ${lineCount} | sha256sum; stty echo\n`,
    )
    await expect.poll(() => screenText(page)).toMatch(/^ready-42$/m)
    await paste(page, text)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(`Paste ${lineCount} lines`)
    await dialog.getByRole('button', { name: 'Paste', exact: true }).click()
    await expect.poll(() => screenText(page)).toContain(createHash('sha256').update(text).digest('hex'))
    await expect.poll(keyExchanges).toBeGreaterThan(before)
  })

  await test.step('a link that dies without a word is told, and its session comes back', async () => {
    await runInTmux(page)
    await type(page, 'kept=$((40 + 2)); echo "it is $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^it is 42\s*$/m)
    link.fallSilent()
    await expect(status).toContainText(/No response for \d+ s/, { timeout: 40_000 })
    const end = page.getByRole('status').filter({ hasText: 'The connection was lost' })
    await expect(end).toContainText(/the host hasn’t answered for \d+ s/, { timeout: 40_000 })
    await expect(end).toContainText('reattaches to the session: tmux train')
    await expect(status).toContainText('Reconnecting')
    expect(await screenText(page)).toContain('it is 42')
    await page.screenshot({ path: test.info().outputPath('lost.png') })
    expect(await findings(page)).toEqual([])
    mend(link)
    await expect(status).toContainText('Connected', { timeout: 40_000 })
    await type(page, 'clear; echo "still $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^still 42\s*$/m)
  })

  await test.step('a link that died while the computer slept is missed soon after it wakes', async () => {
    link.fallSilent()
    await app.power('suspend')
    await app.power('resume')
    const end = page.getByRole('status').filter({ hasText: 'The connection was lost' })
    // Where nobody slept, it is 20 s.
    await expect(end).toContainText('the host hasn’t answered for 6 s', { timeout: 40_000 })
    mend(link)
    await expect(status).toContainText('Connected', { timeout: 40_000 })
    await type(page, 'clear; echo "once more $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^once more 42\s*$/m)
  })
})

/** New connections get through; those that were tried meanwhile are over. */
function mend(link: TcpProxy): void {
  link.heal()
  link.cut()
}

async function runInTmux(page: Page): Promise<void> {
  await page.getByRole('tab').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'tmux or screen…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'tmux' }).click()
  await dialog.getByLabel('Session').fill('train')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  const status = page.getByRole('group', { name: 'Terminal status' })
  await expect(status).toContainText('tmux train')
  await expect.poll(() => screenText(page)).toMatch(/^\[train\]/m)
  await expect.poll(() => screenText(page)).toMatch(/root@.*#\s*$/m)
}
