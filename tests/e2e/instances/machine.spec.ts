import { chooseOffer, instanceRow, openTerminal, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { setNvidiaSmi } from '../support/nvidia-smi.ts'
import { call } from '../../integration/simulator/caller.ts'
import type { World } from '../support/world.ts'
import { expect, test } from '../support/world-test.ts'

interface Listed {
  readonly id: number
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

/** A tool that lists so many of the GPUs that were rented. */
function tool({ gpu_name: name, gpu_ram: memory }: Listed, count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `'${index}, GPU-${index}, NVIDIA ${name}, 0, 0, ${memory}, 50, 90, 450, 1200'`,
  )
  return count === 0 ? 'exit 6' : `printf '%s\\n' ${lines.join(' ')}`
}

test('the first login checks the instance against its offer, and a difference can be kept or replaced', async ({
  world,
}) => {
  const {
    service,
    app: { page },
  } = world
  await chooseOffer(page)
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await untilRunning(page)
  const instance = await listed(service)
  const home = String(service.instances.homeOf(instance.id))
  await setNvidiaSmi(home, tool(instance, instance.num_gpus))
  await instanceRow(page).click()
  const check = page.getByRole('region', { name: 'Offer check', exact: true })
  await expect(check.getByText(/when it first connects by SSH/)).toBeVisible()
  await check.screenshot({ path: test.info().outputPath('empty.png') })

  await page.getByRole('link', { name: 'Instances' }).click()
  await openTerminal(page)
  await page.getByRole('link', { name: 'Instances' }).click()
  await instanceRow(page).click()
  await expect(check.getByText('As offered', { exact: true }).first()).toBeVisible({ timeout: 30_000 })
  await expect(check.getByRole('row', { name: /^Model/ })).toContainText(instance.gpu_name)
  expect(await findings(page), 'as offered').toEqual([])
  await check.screenshot({ path: test.info().outputPath('as-offered.png') })

  await setNvidiaSmi(home, tool(instance, instance.num_gpus - 1))
  await check.getByRole('button', { name: 'Check again' }).click()
  const notice = check.getByRole('alert')
  await expect(notice).toContainText(`GPUs: ${instance.num_gpus} offered, ${instance.num_gpus - 1} found.`)
  await expect(notice).toContainText('You’re charged the full price while it runs.')
  expect(await findings(page), 'a difference').toEqual([])
  await page.screenshot({ path: test.info().outputPath('differs.png') })
  await page.setViewportSize({ width: 960, height: 700 })
  await page.screenshot({ path: test.info().outputPath('differs-narrow.png') })

  await notice.getByRole('button', { name: 'Keep the instance' }).click()
  await expect(notice).toHaveCount(0)
  await expect(check.getByText('1 difference from the offer')).toBeVisible()

  // Another difference is told, and what is rented next is searched for when the instance is destroyed.
  await setNvidiaSmi(
    home,
    tool({ ...instance, gpu_name: 'GeForce GT 1030' }, Math.max(1, instance.num_gpus - 1)),
  )
  await check.getByRole('button', { name: 'Check again' }).click()
  await expect(notice).toContainText('NVIDIA GeForce GT 1030 found.')
  await notice.getByRole('button', { name: 'Destroy and rent another…' }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByLabel('Type the instance id').fill(String(instance.id))
  await dialog.getByRole('button', { name: 'Destroy for good' }).click()
  await expect(page.getByRole('heading', { name: 'Offers', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/#\/offers$/)
  await expect(page.getByText(`Instance ${instance.id} destroyed`).first()).toBeVisible({ timeout: 60_000 })
})
