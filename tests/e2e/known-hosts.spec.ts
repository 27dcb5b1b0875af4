import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { instanceRow, instancesOf, rent, screenText, setUp, untilRunning } from './actions.ts'
import { findings } from './axe.ts'
import { expect, test } from './world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a machine whose key is taken over from ~/.ssh/known_hosts opens without a question', async ({
  world,
}) => {
  const { page } = world.app
  await setUp(page, world.service)
  await rent(page)
  await untilRunning(page)
  const [instance] = await instancesOf(world.service)
  const { stdout } = await promisify(execFile)('ssh-keyscan', [
    '-H',
    '-p',
    String(instance?.ssh_port),
    '127.0.0.1',
  ])
  const folder = join(world.userData, 'home', '.ssh')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'known_hosts'), stdout)

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Look at ~/.ssh/known_hosts' }).click()
  const keys = page.getByRole('region', { name: 'Keys of ~/.ssh/known_hosts' })
  await expect(keys).toContainText('Hashed name')
  await keys.scrollIntoViewIfNeeded()
  await page.screenshot({ path: test.info().outputPath('keys.png') })
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: /^Take over \d+ keys?$/ }).click()
  await expect(page.getByText(/^\d+ keys? taken over\.$/)).toBeVisible()

  await page.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
  await expect.poll(() => screenText(page)).toContain('instance-')
})
