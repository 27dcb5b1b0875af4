import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceRow, instancesOf, rent, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 1] } } })

test('a command runs on two machines at once, after one list of new hosts; each tells how it ended', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  for (const count of [1, 2]) {
    if (count === 2) await page.getByRole('link', { name: 'Offers' }).click()
    await rent(page)
    await expect.poll(async () => (await instancesOf(service)).length).toBe(count)
  }
  await page.getByRole('link', { name: /^Instances/ }).click()
  const ids = (await instancesOf(service)).map(({ id }) => id)
  for (const id of ids) {
    await untilRunning(page, id)
    await instanceRow(page, id).getByRole('checkbox').click()
  }
  await page.getByRole('link', { name: 'Run a command' }).click()

  const command = page.getByLabel('Command', { exact: true })
  await command.fill(`echo here; case "$HOME" in *${ids[1]}*) echo no luck >&2; exit 3;; esac; sleep 300`)
  await page.getByRole('button', { name: 'Save as snippet' }).click()
  await page.getByRole('button', { name: 'Run on 2 instances' }).click()
  const unknown = page.getByRole('region', { name: 'Unknown hosts' })
  await expect(unknown.getByRole('button', { name: /^Trust this host/ })).toHaveCount(2)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.screenshot({ path: 'out/run-hosts.png' })
  expect(await findings(page)).toEqual([])
  await unknown.getByRole('button', { name: 'Trust all 2' }).click()

  const [first, second] = ids.map((id) => page.getByRole('region', { name: `Instance ${id}` }))
  if (!first || !second) throw new Error('two were rented')
  await expect(second.getByText(/Exit code 3/)).toBeVisible()
  await expect(second.getByText('no luck')).toBeVisible()
  await expect(first.getByText(/^Running/)).toBeVisible()
  await expect(first.getByText('here')).toBeVisible()
  await page.screenshot({ path: 'out/run.png' })
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop all' }).click()
  await expect(first.getByText('Stopped')).toBeVisible()
  await expect(page.getByText('0 of 2 done, 1 failed, 1 stopped')).toBeVisible()

  await page.getByRole('button', { name: 'Save outputs' }).click()
  const told = page.getByText(join(userData, 'home', 'slipway-outputs'))
  const saved = /\/\S*slipway-outputs\/\S+/.exec(await told.first().innerText())?.[0] ?? ''
  expect(await readFile(join(saved, `${ids[1]}.txt`), 'utf8')).toContain('no luck')

  await page
    .getByRole('link', { name: /^Instances/ })
    .first()
    .click()
  await instanceRow(page, ids[0])
    .getByText(/^running$/i)
    .click()
  await expect(page.getByText('Command run')).toBeVisible()

  await world.app.close()
  const { page: again } = await world.startAgain()
  await again.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(again, ids[0]).getByRole('checkbox').click()
  await again.getByRole('link', { name: 'Run a command' }).click()
  await again
    .getByRole('list', { name: 'Saved commands' })
    .getByRole('button', { name: /echo here/ })
    .first()
    .click()
  await expect(again.getByLabel('Command', { exact: true })).toHaveValue(/^echo here; case/)
})
