import { instancesOf } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { projectJob, projectJobWorld } from '../support/project-job.ts'
import { expect, test } from '../support/world-test.ts'

// Its instance comes to run when the test says so.
test.use({ worldOptions: { ...projectJobWorld, service: { bootSeconds: [0, 100_000] } } })

test('who cancels while an instance is rented pays for none, also when it comes to run meanwhile', async ({
  world,
}) => {
  const { service } = world
  const { page } = world.app
  const found = { instanceId: 0 }
  for (const { name, run } of projectJob.slice(0, 3)) await test.step(name, () => run(page, world, found))
  await page.getByRole('dialog', { name: 'New job' }).getByText('Keep instance').click()
  for (const { name, run } of projectJob.slice(3, 4)) await test.step(name, () => run(page, world, found))
  await page.getByRole('button', { name: 'Cancel job…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Cancel “Fit a line”/ })
  await expect(dialog).toContainText('An instance that was just rented for it is destroyed.')
  await expect(dialog.getByRole('radio')).toHaveCount(0)
  await service.instances.setFate(found.instanceId, 'running')
  await page.getByRole('button', { name: 'Trust this host' }).click()
  // What the dialog has promised is still chosen, although the job was to keep it.
  await expect(dialog.getByRole('radio', { name: 'Destroy instance' })).toBeChecked()
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('cancel.png') })
  await dialog.getByRole('button', { name: 'Cancel job', exact: true }).click()
  await expect.poll(() => instancesOf(service)).toEqual([])
})
