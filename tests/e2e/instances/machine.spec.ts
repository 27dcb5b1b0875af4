import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseOffer, instanceRow, openTerminal, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { setNvidiaSmi } from '../support/nvidia-smi.ts'
import { call } from '../../integration/simulator/caller.ts'
import { search } from '../support/offers-actions.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

interface Listed {
  readonly id: number
  readonly machine_id: number
  readonly num_gpus: number
  readonly gpu_name: string
  readonly gpu_ram: number
}

async function listed(service: World['service']): Promise<Listed> {
  const { body } = await call(service, 'GET', '/api/v0/instances/')
  const [one] = (body as { readonly instances: readonly Listed[] }).instances
  if (one === undefined) throw new Error('Nothing is rented')
  return one
}

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** A tool that lists so many of the GPUs that were rented. */
function tool({ gpu_name: name, gpu_ram: memory }: Listed, count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `'${index}, GPU-${index}, NVIDIA ${name}, 0, 0, ${memory}, 50, 90, 450, 1200'`,
  )
  return count === 0 ? 'exit 6' : `printf '%s\\n' ${lines.join(' ')}`
}

test('the first login checks the instance against its offer, its speed is measured when asked, and it can be replaced', async ({
  world,
}) => {
  const {
    service,
    userData,
    app: { page },
  } = world
  const shot = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await page.getByLabel('Price at most').fill('3')
  await chooseOffer(page)
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await untilRunning(page)
  // What is searched for afterwards isn't what it was rented by.
  await page.getByRole('link', { name: 'Offers' }).click()
  await page.getByLabel('Price at most').fill('2')
  await search(page)
  await page.getByRole('link', { name: 'Instances' }).click()
  const instance = await listed(service)
  const home = String(service.instances.homeOf(instance.id))
  await setNvidiaSmi(home, tool(instance, instance.num_gpus - 1))
  await instanceRow(page).click()
  const check = page.getByRole('region', { name: 'Offer check', exact: true })
  const speed = page.getByRole('region', { name: 'Speed test', exact: true })
  await expect(check.getByText(/when it first connects by SSH/)).toBeVisible()
  await expect(speed.getByText(/You’re charged (about|less than) \$0\.\d\d for its traffic/)).toBeVisible()
  await shot('empty')

  await page.getByRole('link', { name: 'Instances' }).click()
  await openTerminal(page)
  // Nobody looks at its page.
  await expect
    .poll(() => readFile(join(userData, 'notifications.jsonl'), 'utf8').catch(() => ''), { timeout: 30_000 })
    .toContain(`Instance ${instance.id} isn’t what was offered`)
  await page.getByRole('link', { name: 'Instances' }).click()
  await instanceRow(page).click()
  const notice = check.getByRole('alert')
  await expect(notice).toContainText(`GPUs: ${instance.num_gpus} offered, ${instance.num_gpus - 1} found.`)
  await expect(notice).toContainText('You’re charged the full price while it runs.')
  await expect(notice).toContainText(`Slipway blocks machine ${instance.machine_id} in Offers.`)
  expect(await findings(page), 'a difference').toEqual([])
  await shot('differs')
  await notice.getByRole('button', { name: 'Keep the instance' }).press('Enter')
  await expect(notice).toHaveCount(0)
  await expect(check.getByRole('button', { name: 'Check instance again' })).toBeFocused()
  await expect(check.getByText('1 difference from the offer')).toBeVisible()

  await setNvidiaSmi(home, 'echo "NVIDIA-SMI has failed: no driver"; exit 9')
  await check.getByRole('button', { name: 'Check instance again' }).click()
  await expect(check.getByText(/^The GPU tool fails\. Otherwise as offered/)).toBeVisible()
  await expect(check.getByText('GPUs are unknown and may not work')).toBeVisible()
  expect(await findings(page), 'a GPU tool that fails').toEqual([])
  await shot('tool-fails')

  await setNvidiaSmi(home, tool(instance, instance.num_gpus))
  await check.getByRole('button', { name: 'Check instance again' }).click()
  await expect(check.getByText('The GPU tool fails')).toHaveCount(0)
  // What is as offered takes one line.
  await expect(check.getByRole('row')).toHaveCount(0)
  await check.getByText('Show details').click()
  await expect(check.getByRole('row', { name: /^Model/ })).toContainText(
    `NVIDIA ${instance.gpu_name}As offered`,
  )

  const start = speed.getByRole('button', { name: 'Start speed test' })
  const cancel = speed.getByRole('button', { name: 'Cancel speed test' })
  const program = join(home, '../root/bin/dd')
  await writeFile(program, '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 })
  await start.press('Enter')
  await expect(speed.getByText('Disk, writing…')).toBeVisible()
  await expect(cancel).toBeFocused()
  expect(await findings(page), 'measuring').toEqual([])
  await shot('measuring')
  await cancel.press('Enter')
  await expect(speed.getByText('Canceled. Nothing is left on the instance.')).toBeVisible()
  expect(await readdir(home)).not.toContainEqual(expect.stringContaining('slipway-speed'))
  await expect(start).toBeFocused()
  await rm(program)
  await start.press('Enter')
  await expect(speed.getByRole('row', { name: /^Disk, writing/ })).toContainText(/[\d,]+ MB\/s[\d,]+ MB\/s/, {
    timeout: 60_000,
  })
  await expect(speed.getByRole('row', { name: /^Instance to this computer/ })).toContainText('Mb/s')
  await expect(speed.getByRole('row', { name: /^This computer to instance/ })).toContainText('Mb/s')
  await expect(speed.getByRole('button', { name: 'Test again' })).toBeFocused()
  expect(await findings(page), 'measured').toEqual([])
  await shot('measured')
  await page.setViewportSize({ width: 960, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await speed.scrollIntoViewIfNeeded()
  await shot('measured-dark-narrow')

  // Another difference is told, and what is rented next is searched for when the instance is destroyed.
  const other = { ...instance, gpu_name: 'GeForce GT 1030' }
  await setNvidiaSmi(home, tool(other, instance.num_gpus))
  await check.getByRole('button', { name: 'Check instance again' }).click()
  await expect(notice).toContainText('NVIDIA GeForce GT 1030 found.')
  await shot('differs-dark-narrow')
  const destroy = notice.getByRole('button', { name: 'Destroy and find another…' })
  service.faults.add({ path: '*', kind: 'refused', status: 401, error: 'auth_error', times: 1_000 })
  const refresh = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Instances' }).click()
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await instanceRow(page).click()
  }
  await refresh()
  const why = 'The service refuses the API key: Destroy and find another… is off.'
  await expect(destroy).toHaveAccessibleDescription(why)
  await expect(notice.getByText(why)).toBeVisible()
  expect(await findings(page), 'it can’t be destroyed').toEqual([])
  await shot('destroy-off-dark-narrow')
  service.faults.clear()
  await refresh()
  await destroy.click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await dialog.getByLabel('Type the instance id').fill(String(instance.id))
  await dialog.getByRole('button', { name: 'Destroy for good' }).click()
  await expect(page.getByRole('heading', { name: 'Offers', level: 1 })).toBeVisible()
  await expect(page.getByLabel('Price at most')).toHaveValue('3')
  await expect(page.getByText(`Instance ${instance.id} destroyed`).first()).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText(/^1 blocked, hidden/)).toBeVisible()
  await shot('offers-after')
})
