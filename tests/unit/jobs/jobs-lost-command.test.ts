import { expect, test } from 'vitest'
import { exited, isInTrouble, isOver, jobOnInstance, jobsWorld, minute, started } from './jobs-world.ts'

test('an instance that knows nothing of a job it started is kept, and the job waits for the user', async () => {
  const world = await jobsWorld(jobOnInstance('a', started))
  world.states.set('a', { kind: 'none' })
  const { jobs, when, pass } = world.run()
  const { trouble, exit } = await when('a', isInTrouble)
  expect({ trouble, exit }).toEqual({
    trouble: { isRetrying: false, reason: { kind: 'on-instance', why: 'unknown-job' } },
    exit: null,
  })
  await pass(30 * minute)
  expect(world.told).toEqual(['Job “Train” is waiting for you'])
  // Its home is mounted again, say.
  world.states.set('a', { kind: 'exited', code: 0, isCanceled: false, bytes: 0 })
  jobs.retry('a')
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'destroyed' })
})

test('canceling a job that the instance doesn’t know ends nothing before the user has looked', async () => {
  const world = await jobsWorld(jobOnInstance('a', started))
  world.states.set('a', { kind: 'none' })
  const { jobs, find, when, pass } = world.run()
  await when('a', isInTrouble)
  await jobs.cancel('a', 'destroy')
  await pass(minute)
  expect(find('a')).toMatchObject({
    trouble: { isRetrying: false, reason: { kind: 'on-instance', why: 'unknown-job' } },
    outcome: null,
  })
  expect(world.asked).toEqual([])
})

test('canceling a job whose start got no reply means that it never begins', async () => {
  const world = await jobsWorld(jobOnInstance('a', started.slice(0, 2)))
  world.onInstance.start = () => Promise.resolve({ kind: 'refused', why: 'no-answer' })
  world.states.set('a', { kind: 'none' })
  const { jobs, when } = world.run()
  await when('a', isInTrouble)
  await jobs.cancel('a', 'destroy')
  expect(await when('a', isOver)).toMatchObject({
    exit: { kind: 'canceled' },
    outcome: { kind: 'canceled', instance: 'destroyed' },
  })
})

test.each(['restarted', 'vanished'] as const)(
  'after a command that was lost (%s) its instance is kept, and destroyed only when the user says so',
  async (why) => {
    const lost = { kind: 'lost', why, bytes: 0 } as const
    const world = await jobsWorld([...jobOnInstance('a', started), ...jobOnInstance('b', started)])
    world.states.set('a', lost)
    const { jobs, when } = world.run()
    expect(await when('a', isOver)).toMatchObject({
      exit: { kind: 'lost', why },
      outcome: { kind: 'finished', instance: 'kept' },
    })
    expect(world.asked).not.toContain('destroy 7')
    await jobs.cancel('b', 'destroy')
    world.states.set('b', lost)
    expect((await when('b', isOver)).outcome).toEqual({ kind: 'canceled', instance: 'destroyed' })
  },
)

test('a command that ended with any code ends as its order says', async () => {
  const world = await jobsWorld(jobOnInstance('a', [...started, exited]))
  const { when } = world.run()
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'destroyed' })
  expect(world.asked).toContain('destroy 7')
})
