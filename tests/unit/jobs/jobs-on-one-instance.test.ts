import { expect, test } from 'vitest'
import type { JobOrder } from '#domain/jobs/job.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import {
  definition,
  exited,
  isInTrouble,
  isOver,
  jobOnInstance,
  jobsWorld,
  listed,
  minute,
  started,
} from './jobs-world.ts'

const ended = [...started, exited]
const isEnded = { kind: 'exited', code: 0, isCanceled: false, bytes: 0 } as const
const changing = (asked: readonly string[]) => asked.filter((one) => /^(stop|destroy) 7$/.test(one))

test('an instance is destroyed only when no other job uses it any more', async () => {
  const world = await jobsWorld([
    ...jobOnInstance('a', ended),
    ...jobOnInstance('b', started, { name: 'Evaluate', then: 'keep' }),
  ])
  const { find, when, pass } = world.run()
  expect((await when('a', isInTrouble)).trouble).toEqual({
    isRetrying: true,
    reason: { kind: 'other-job', name: 'Evaluate' },
  })
  await pass(30 * minute)
  expect(changing(world.asked)).toEqual([])
  world.states.set('b', isEnded)
  await when('a', isOver)
  expect(find('b').outcome).toEqual({ kind: 'finished', instance: 'kept' })
  expect(find('a')).toMatchObject({ trouble: null, outcome: { kind: 'finished', instance: 'destroyed' } })
  expect(changing(world.asked)).toEqual(['destroy 7'])
  expect(world.told).toEqual(['Job “Evaluate” finished', 'Job “Train” finished'])
})

test('several jobs with only their end left don’t wait for each other', async () => {
  const ids = ['a', 'b', 'c']
  const world = await jobsWorld(ids.flatMap((id) => jobOnInstance(id, ended)))
  const { find, when } = world.run()
  for (const id of ids) await when(id, isOver)
  expect(ids.map((id) => find(id).outcome)).toContainEqual({ kind: 'finished', instance: 'destroyed' })
})

test('a job on another machine under the same id isn’t waited for', async () => {
  const [upload] = started
  if (upload?.kind !== 'upload') throw new Error('it begins with its instance')
  const elsewhere = { ...upload.instance, identity: { machineId: 2, startedAt: null } }
  const world = await jobsWorld([
    ...jobOnInstance('a', ended),
    ...jobOnInstance('b', [
      { kind: 'upload', instance: elsewhere },
      { kind: 'end', outputs: null },
    ]),
  ])
  const { when } = world.run()
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'destroyed' })
})

test('an instance that was gone before it was to be destroyed isn’t said to be destroyed', async () => {
  const world = await jobsWorld(jobOnInstance('a', ended))
  world.instances.clear()
  const { when } = world.run()
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'instance-gone' })
})

test('what the run before has asked the service for is said to be done', async () => {
  const asking = { kind: 'asking', action: 'destroy' } as const
  const world = await jobsWorld(jobOnInstance('a', [...ended, { kind: 'end', outputs: null }, asking]))
  world.instances.clear()
  const { when } = world.run()
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'destroyed' })
})

test('once the service was asked to destroy the instance, nobody is told that it’s kept', async () => {
  const world = await jobsWorld(jobOnInstance('a', ended))
  // As long as it takes.
  world.actions.destroy = (id) => Promise.resolve(void world.asked.push(`destroy ${id}`))
  const { jobs, find, when, pass } = world.run()
  await when('a', () => changing(world.asked).length > 0)
  await expect(jobs.cancel('a', 'keep')).rejects.toMatchObject({
    problem: { kind: 'invalid-input', fault: { code: 'ended' } },
  })
  await pass(10_000)
  expect(find('a').outcome).toBeNull()
  world.instances.clear()
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'destroyed' })
})

test('no job begins on an instance that another one has asked to destroy', async () => {
  const world = await jobsWorld(jobOnInstance('a', ended))
  world.actions.destroy = (id) => Promise.resolve(void world.asked.push(`destroy ${id}`))
  const { jobs, when } = world.run()
  const order: JobOrder = {
    ...{ definition, folder: await temporaryFolder() },
    place: { kind: 'instance', instanceId: 7 },
  }
  await when('a', ({ asked }) => asked !== null)
  await expect(jobs.begin(order)).rejects.toMatchObject({
    problem: { kind: 'invalid-input', field: 'instanceId', fault: { code: 'not-available' } },
  })
  await jobs.begin({ ...order, place: { kind: 'instance', instanceId: 8 } })
})

test('what the user says before the service is asked counts', async () => {
  const world = await jobsWorld([...jobOnInstance('a', ended), ...jobOnInstance('b', started)])
  const { jobs, when } = world.run()
  await when('a', isInTrouble)
  await jobs.cancel('a', 'keep')
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'canceled', instance: 'kept' })
  expect(changing(world.asked)).toEqual([])
})

test('a rule that two jobs share goes to the one that still runs, and with the last of them', async () => {
  const world = await jobsWorld([
    ...jobOnInstance('a', ended, { then: 'keep', stopAfterMinutes: 30 }),
    ...jobOnInstance('b', started, { then: 'keep', stopAfterMinutes: 60 }),
  ])
  const { when } = world.run()
  await when('a', isOver)
  world.states.set('b', isEnded)
  await when('b', isOver)
  expect(world.asked.filter((one) => one.startsWith('disarm'))).toEqual(['disarm a, for b', 'disarm b'])
})

test('an auto-stop rule that can’t be set is told, and set as soon as it can be', async () => {
  const world = await jobsWorld(jobOnInstance('a', started.slice(0, 2), { stopAfterMinutes: 30 }))
  const { arm } = world.rules
  world.rules.arm = () => Promise.reject(new Error('too many rules'))
  const { find, when, pass } = world.run()
  expect(await when('a', ({ step }) => step === 'run')).toMatchObject({ isUnguarded: true, trouble: null })
  expect(world.told).toEqual(['Job “Train” has no auto-stop rule'])
  expect(world.asked).toContain('start a')
  world.rules.arm = arm
  await pass(6_000)
  world.instances.set(7, listed('offline'))
  await pass(10_000)
  world.instances.set(7, listed('running'))
  await pass(minute)
  expect(find('a')).toMatchObject({ step: 'run', isUnguarded: false })
})
