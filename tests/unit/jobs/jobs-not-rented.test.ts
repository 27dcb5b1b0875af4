import { expect, test } from 'vitest'
import type { JobEvent } from '#services/jobs/job-journal.ts'
import { isOver, jobsWorld, jobThatRents, plan } from './jobs-world.ts'

const soon = Date.UTC(2026, 0, 1)
const renting: JobEvent = { kind: 'renting', retryId: 'retry' }
const begun: readonly JobEvent[] = [renting, { kind: 'retrying' }]
const tooLate = soon - (plan.giveUpAfterMinutes + 1) * 60_000

test.each<[string, readonly JobEvent[], number, string]>([
  ['its time was up before anything was begun', [], tooLate, 'No instance was rented for job “Train”'],
  ['the same once its auto-retry had an ID', [renting], tooLate, 'No instance was rented for job “Train”'],
  ['its auto-retry isn’t known any more', begun, soon, 'Job “Train” was given up'],
])('the end of a job that no auto-retry tells is told: %s', async (_, events, at, title) => {
  const world = await jobsWorld(jobThatRents('a', events, at))
  const { when } = world.run()
  await when('a', isOver)
  expect(world.told).toEqual([title])
})

test('so is one whose rental can’t be unsealed', async () => {
  const world = await jobsWorld(jobThatRents('a', [], soon), { unseal: () => Promise.resolve(null) })
  const { when } = world.run()
  await when('a', isOver)
  expect(world.told).toEqual(['No instance was rented for job “Train”'])
})

test('what auto-retry tells isn’t told once more, nor what the user did', async () => {
  const world = await jobsWorld([...jobThatRents('a', begun, soon), ...jobThatRents('b', [], soon)])
  world.retries.outcomes.set('retry', { kind: 'exhausted' })
  world.retries.beginCheapest = ({ signal }) => world.clock.sleep(60_000, signal)
  const { jobs, find, when } = world.run()
  await when('a', isOver)
  await jobs.giveUp('b')
  expect(find('a').outcome).toEqual({ kind: 'not-rented' })
  expect(world.told).toEqual([])
})
