import { createServer } from 'node:http'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.describe('forwards', () => {
  test.use({ worldOptions: { service: { bootSeconds: [0, 1] } } })

  test('lead to the machine after asking about its key, count bytes, stop, and last over a restart', async ({
    world,
  }) => {
    const { service, app, userData } = world
    const { page } = app
    // The machine is this computer: what listens here is there.
    const there = createServer((_, response) => void response.end('a page of the machine'))
    await new Promise<void>((resolve) => there.listen(0, '127.0.0.1', resolve))
    const address = there.address()
    const target = typeof address === 'object' && address !== null ? address.port : 0
    const port = await findFreePort()
    await rent(page)
    await page.getByRole('link', { name: /^Instances/ }).click()
    await untilRunning(page)
    await instanceRow(page)
      .getByText(/^running$/i)
      .click()
    expect(await instancesOf(service)).toHaveLength(1)
    const form = page.getByRole('form', { name: 'Forward a port' })
    await form.getByRole('button', { name: 'Forward a port' }).click()
    await expect(form.getByText('Enter a port from 1 to 65535.')).toBeVisible()
    await expect(form.getByLabel('Port on this computer')).toBeFocused()
    await form.getByLabel('Port on this computer').fill(String(port))
    await form.getByLabel('Target on the instance').fill(`127.0.0.1:${target}`)
    await form.getByRole('button', { name: 'Forward a port' }).click()
    await page
      .getByRole('dialog', { name: 'Unknown host' })
      .getByRole('button', { name: 'Trust this host' })
      .click()
    const row = page.getByRole('list', { name: 'Port forwards' }).getByRole('listitem')
    await expect(row.getByText('On', { exact: true })).toBeVisible()

    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('a page of the machine')
    await expect(row.getByText(/\d B sent, [1-9]\d* B received/)).toBeVisible()
    await row.getByRole('button', { name: /^Open in the browser/ }).click()
    if (app.host === 'chromium') {
      const opened = (): Promise<string> =>
        readFile(join(userData, 'opened-links.txt'), 'utf8').catch(() => '')
      await expect.poll(opened).toMatch(new RegExp(`^http://port-${target}-\\d+\\.localhost:${port}/\n$`))
      await expect(row).toContainText((await opened()).trim())
    }

    await page.getByRole('button', { name: 'Open terminal' }).first().click()
    const status = page.getByRole('group', { name: 'Terminal status' })
    await expect(status).toContainText('Connected')
    await status.getByRole('link', { name: '1 port forward' }).click()

    await row.getByRole('button', { name: /^Edit/ }).click()
    const edit = page.getByRole('form', { name: 'Edit the port forward' })
    await expect(edit.getByLabel('Target on the instance')).toHaveValue(`127.0.0.1:${target}`)
    const other = await findFreePort()
    await edit.getByLabel('Port on this computer').fill(String(other))
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(row.getByText(`localhost:${other} on this computer`)).toBeVisible()
    await expect(row.getByText('On', { exact: true })).toBeVisible()
    // “On” may be a word of the former one still.
    await expect
      .poll(() => fetch(`http://127.0.0.1:${other}/`).then((reply) => reply.text(), String))
      .toBe('a page of the machine')
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    await page.screenshot({ path: 'out/forwards.png' })

    // The next start begins where this one ends.
    await page.getByRole('link', { name: 'Offers' }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/offers')
    await app.close()
    await expect(fetch(`http://127.0.0.1:${other}/`)).rejects.toThrow()
    // The machine is not known any more: its forward comes back, and asks, wherever the user is.
    await rm(join(userData, 'known_hosts'))
    const { page: again } = await world.startAgain()
    const banner = again.getByRole('region', { name: /needs your answer to connect/ })
    await expect(banner).toContainText('Host key needs your answer.')
    // The page below it may come later.
    await expect(again.getByRole('heading', { level: 1 })).toBeVisible()
    await again.screenshot({ path: 'out/forwards-asks.png' })
    expect(await findings(again)).toEqual([])
    await banner.getByRole('button', { name: 'Answer' }).click()
    await again
      .getByRole('dialog', { name: 'Unknown host' })
      .getByRole('button', { name: 'Trust this host' })
      .click()
    await expect(banner).toHaveCount(0)
    await again.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(again)
      .getByText(/^running$/i)
      .click()
    const back = again.getByRole('list', { name: 'Port forwards' }).getByRole('listitem')
    await expect(back.getByText('On', { exact: true })).toBeVisible()
    expect(await (await fetch(`http://127.0.0.1:${other}/`)).text()).toBe('a page of the machine')
    await back.getByRole('button', { name: /^Stop/ }).click()
    await expect(back.getByText('Off', { exact: true })).toBeVisible()
    await expect(fetch(`http://127.0.0.1:${other}/`)).rejects.toThrow()
    there.close()
  })
})
