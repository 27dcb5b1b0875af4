import { expect, test } from 'vitest'
import { ProblemError } from '#domain/base/problem.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import {
  exited,
  isInTrouble,
  jobOnInstance,
  jobsWorld,
  jobThatRents,
  listed,
  minute,
  started,
} from './jobs-world.ts'

const stuck = 'Job “Train” is stuck'
const lost = new SshFailure({ kind: 'link-lost', detail: { code: 'closed' } })

test('what is retried for ever is told once after five minutes, and once more when it happens in another step', async () => {
  const world = await jobsWorld(jobOnInstance('a', started.slice(0, 1)))
  const { upload } = world.files
  world.files.upload = () => Promise.reject(lost)
  const { find, when, pass } = world.run()
  await when('a', isInTrouble)
  await pass(4 * minute)
  expect(world.told).toEqual([])
  await pass(2 * minute)
  expect(world.told).toEqual([stuck])
  expect(find('a').trouble).toMatchObject({ isRetrying: true, reason: { kind: 'transfer' } })
  await pass(60 * minute)
  expect(world.told).toEqual([stuck])
  world.files.upload = upload
  world.onInstance.start = () => Promise.reject(lost)
  await when('a', ({ step }) => step === 'start')
  await pass(30 * minute)
  expect(world.told).toEqual([stuck, stuck])
})

test('a connection that is lost now and then, but brings something each time, isn’t stuck', async () => {
  const world = await jobsWorld(jobOnInstance('a', started))
  world.onInstance.follow = async (_, onBytes, signal) => {
    await onBytes(Buffer.from('more\n'))
    await world.clock.sleep(20_000, signal)
    throw lost
  }
  const { pass } = world.run()
  await pass(60 * minute)
  expect(world.told).toEqual([])
})

test('an instance that starts for ever is told', async () => {
  const world = await jobsWorld(jobOnInstance('a', []))
  world.instances.set(7, listed('loading'))
  const { find, when, pass } = world.run()
  await pass(4 * minute)
  expect(find('a').trouble).toBeNull()
  expect((await when('a', isInTrouble)).trouble).toEqual({
    isRetrying: true,
    reason: { kind: 'still-starting' },
  })
  await pass(6 * minute)
  expect(world.told).toEqual([stuck])
  world.instances.set(7, listed('running'))
  await when('a', ({ step }) => step === 'run')
  expect(find('a').trouble).toBeNull()
})

test('a destroy that the service refuses again and again is told', async () => {
  const world = await jobsWorld(jobOnInstance('a', [...started, exited]))
  world.actions.destroy = () =>
    Promise.reject(new ProblemError({ kind: 'service-failed', status: 500, message: '' }))
  const { when, pass } = world.run()
  await when('a', isInTrouble)
  await pass(8 * minute)
  expect(world.told).toEqual([stuck])
})

test('waiting for another job isn’t retrying: what fails after that isn’t stuck at once', async () => {
  const world = await jobsWorld([...jobOnInstance('a', [...started, exited]), ...jobOnInstance('b', started)])
  world.actions.destroy = () =>
    Promise.reject(new ProblemError({ kind: 'service-failed', status: 500, message: '' }))
  const { jobs, find, when, pass } = world.run()
  await when('a', isInTrouble)
  await pass(30 * minute)
  await jobs.giveUp('b')
  await when('a', ({ trouble }) => trouble?.reason.kind === 'problem')
  await pass(3 * minute)
  expect(find('a').trouble?.reason.kind).toBe('problem')
  expect(world.told).toEqual([])
  await pass(5 * minute)
  expect(world.told).toEqual([stuck])
})

test('an offer that nobody makes is told', async () => {
  const world = await jobsWorld(jobThatRents('a', [], Date.UTC(2026, 0, 1)))
  world.retries.beginCheapest = () =>
    Promise.reject(new ProblemError({ kind: 'rental-refused', reason: { code: 'no-offer' } }))
  const { pass } = world.run()
  await pass(10 * minute)
  expect(world.told).toEqual([stuck])
})
