import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Simulator } from '../../simulator/simulator.ts'
import { instanceRow, instancesOf, untilRunning } from '../support/actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a mapped port is opened in the browser after asking; what no browser can open has no link', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  await rentWith(service, { '-p 8080:80': '1', '-p 5353:53/udp': '1' })
  await page.getByRole('link', { name: /^Instances/ }).click()
  await untilRunning(page)
  await instanceRow(page)
    .getByText(/^running$/i)
    .click()
  const ports = page.getByRole('table', { name: 'Ports' })
  const [instance] = await instancesOf(service)
  const outside = instance?.ports['80/tcp']?.[0]?.HostPort ?? ''
  await expect(ports.getByRole('row', { name: '80/tcp' })).toContainText(`127.0.0.1:${outside}`)
  await expect(ports.getByRole('row', { name: '22/tcp' }).getByRole('button', { name: /^Open/ })).toHaveCount(
    0,
  )
  await expect(ports.getByRole('row', { name: '53/udp' }).getByRole('button', { name: /^Open/ })).toHaveCount(
    0,
  )

  await ports.getByRole('button', { name: 'Open port 80/tcp with http', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Open port 80 in your browser?' })
  await expect(dialog).toContainText(`http://127.0.0.1:${outside}/`)
  await expect(dialog).toContainText('others on the network can read and change')
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('list', { name: 'Activity' }).getByText(/port 80/i)).toBeVisible()
  if (app.host === 'chromium')
    await expect
      .poll(() => readFile(join(userData, 'opened-links.txt'), 'utf8').catch(() => ''))
      .toBe(`http://127.0.0.1:${outside}/\n`)
})

/** As from another computer: Slipway finds it in the list. */
async function rentWith(
  { baseUrl, key }: Pick<Simulator, 'baseUrl' | 'key'>,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const found = await fetch(`${baseUrl}/api/v0/bundles/`, { method: 'POST', headers, body: '{}' })
  const { offers } = (await found.json()) as { offers: { id: number }[] }
  const rented = await fetch(`${baseUrl}/api/v0/asks/${offers[0]?.id ?? 0}/`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ image: 'nginx', disk: 8, env }),
  })
  expect(rented.status).toBe(200)
}
