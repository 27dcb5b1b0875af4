import { mainJob } from '../support/main-job.ts'
import { expect, test } from '../support/world-test.ts'

// It is looked at every ten seconds: what is to be seen of it lasts some seconds longer, before and after.
test.use({ account: 'none', worldOptions: { service: { offers: 200, bootSeconds: [7, 12] } } })

test('the main job, from a key to a destroyed machine', async ({ world }) => {
  const found = { instanceId: 0 }
  for (const step of mainJob) await test.step(step.name, () => step.run(world.app.page, world, found))
  await expect(world.app.page.getByText('You have no instances')).toBeVisible()
})
