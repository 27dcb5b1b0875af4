import { mainJob } from './main-job.ts'
import { expect, test } from './world-test.ts'

test('the main job, from a key to a destroyed machine', async ({ world }) => {
  const found = { instanceId: 0 }
  for (const step of mainJob) await test.step(step.name, () => step.run(world.app.page, world, found))
  await expect(world.app.page.getByText('You have no instances')).toBeVisible()
})
