import type { World } from '../support/world.ts'
import { chooseOffer, instanceRow, instancesOf, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { removeNvidiaSmi, setNvidiaSmi } from '../support/nvidia-smi.ts'
import { expect, test } from '../support/world-test.ts'

const gpus = (uses: readonly number[]): string => {
  const list = uses.map(
    (use, index) => `${index}, GPU-${index}, NVIDIA RTX 4090, ${use}, 12282, 24564, 61, 214.33, 450.00, 2520`,
  )
  return `case $* in *compute-apps*) echo 'GPU-1, 4117, 8192, /usr/bin/python3 train.py' ;; *) printf '%s\\n' ${list.map((line) => `'${line}'`).join(' ')} ;; esac`
}

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** Rents, and opens the page of the instance when it runs. */
async function openFigures({ service, app: { page } }: World) {
  await chooseOffer(page)
  await page.getByRole('button', { name: 'Rent this machine' }).click()
  await untilRunning(page)
  await instanceRow(page).click()
  const [instance] = await instancesOf(service)
  const figures = page.getByRole('region', { name: 'Figures', exact: true })
  return { page, service, id: Number(instance?.id), figures }
}

test('an instance’s figures are shown when they are asked for, as charts and as a table, and stop; a connection that is lost is taken up again', async ({
  world,
}) => {
  const { page, service, id, figures } = await openFigures(world)
  const home = String(service.instances.homeOf(id))
  await setNvidiaSmi(home, gpus([90, 10]))
  await expect(figures.getByText(/installs nothing on the instance/)).toBeVisible()
  expect(await findings(page), 'off').toEqual([])
  await figures.getByRole('button', { name: 'Show figures' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()

  await expect(
    figures.getByRole('img', { name: /^GPU: now 50% of 2 GPUs; lowest 50%, highest 50%$/ }),
  ).toBeVisible()
  const second = figures.getByRole('row', { name: /^1 NVIDIA RTX 4090/ })
  await expect(second).toContainText('10%')
  await expect(second).toContainText('12.9 GB of 25.8 GB')
  await expect(second).toContainText('214 of 450 W')
  await expect(figures.getByRole('row', { name: /train\.py/ })).toContainText('4117')
  await expect(figures.getByText(/^\d+(\.\d)? of \d+ cores?$/)).toBeVisible()
  await expect(figures.getByText('Disk /', { exact: true })).toBeVisible()
  await expect(figures.getByText(/Chart top: .+\/s/)).toHaveCount(2)
  expect(await findings(page), 'charts').toEqual([])

  await setNvidiaSmi(home, gpus([100, 100]))
  await expect(figures.getByText('100% of 2 GPUs')).toBeVisible()
  await figures.getByRole('switch', { name: 'Table' }).click()
  const course = figures.getByRole('region', { name: 'Figures over time' })
  await expect(course.getByRole('row').nth(1)).toContainText('100%')
  await expect(course.getByRole('row').last()).toContainText('50%')
  await expect(course.getByRole('columnheader', { name: /^GPU/ })).toHaveText([
    ...['GPU', 'GPU 0', 'GPU 1', 'GPU memory', 'GPU 0 memory', 'GPU 1 memory'],
  ])
  await expect(course.getByRole('row').last().getByRole('cell')).toHaveText([
    /^50%$/,
    /^90%$/,
    /^10%$/,
    /%$/,
    /%$/,
    /%$/,
    /./,
    /./,
    /./,
    /./,
  ])
  expect(await findings(page), 'table').toEqual([])
  await figures.getByRole('switch', { name: 'Table' }).click()

  await setNvidiaSmi(
    home,
    `echo 'NVIDIA-SMI has failed because it couldn’t communicate with the NVIDIA driver.'; exit 9`,
  )
  await expect(figures.getByText(/^GPU use is unknown: NVIDIA-SMI has failed/)).toBeVisible()
  await figures.screenshot({ path: test.info().outputPath('no-driver.png') })

  await figures.getByRole('button', { name: 'Hide figures' }).click()
  await expect(figures.getByRole('button', { name: 'Show figures' })).toBeVisible()

  await test.step('a connection that is lost is taken up again, and one that can’t be made is said', async () => {
    await removeNvidiaSmi(home)
    await service.instances.setSshd(id, 'down')
    await figures.getByRole('button', { name: 'Show figures' }).click()
    await expect(figures.getByRole('alert')).toBeVisible({ timeout: 60_000 })
    expect(await findings(page), 'failed').toEqual([])
    await service.instances.setSshd(id, 'up')
    await figures.getByRole('button', { name: 'Try again' }).click()
    // The instance has no tool for GPUs, as they are stubs elsewhere.
    await expect(
      figures.getByText('GPU use is unknown: the instance has neither nvidia-smi nor rocm-smi.'),
    ).toBeVisible()
    const memory = figures.getByRole('img', { name: /^Memory: now/ })
    await expect(memory).toBeVisible()
    const lost = figures.getByText('Connection lost. Slipway reconnects automatically.')
    await service.instances.setSshd(id, 'down')
    await expect(lost).toBeVisible({ timeout: 90_000 })
    expect(await findings(page), 'lost').toEqual([])
    await service.instances.setSshd(id, 'up')
    await expect(lost).toHaveCount(0, { timeout: 120_000 })
    await expect(figures.getByText(/^Heard from/)).toBeVisible()
  })
})
