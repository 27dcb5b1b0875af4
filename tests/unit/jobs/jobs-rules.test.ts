import { expect, test } from 'vitest'
import { ProblemError } from '#domain/base/problem.ts'
import { exited, isOver, jobOnInstance, jobsWorld, listed, minute, started } from './jobs-world.ts'

const guarded = { then: 'keep', stopAfterMinutes: 30 } as const
const lost = { kind: 'lost', why: 'vanished', bytes: 0 } as const
const ofRules = (asked: readonly string[]) => asked.filter((one) => one.startsWith('disarm'))

test('the rule of a job whose instance was stopped already is removed, so that it stops nothing later', async () => {
  const world = await jobsWorld(jobOnInstance('a', [...started, exited], { ...guarded, then: 'stop' }))
  world.instances.set(7, listed('stopped'))
  const { when } = world.run()
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'stopped' })
  expect(world.asked).toEqual(['disarm a'])
})

test('an instance whose host is silent is said to be stopped only once the service was asked', async () => {
  const world = await jobsWorld(jobOnInstance('a', [...started, exited], { then: 'stop' }))
  world.instances.set(7, listed('offline'))
  const { stop } = world.actions
  const down = new ProblemError({ kind: 'unreachable', cause: 'refused', origin: 'https://x' })
  world.actions.stop = (id) => stop(id).then(() => Promise.reject(down))
  const { find, when, pass } = world.run()
  await pass(minute)
  expect(find('a')).toMatchObject({ outcome: null, asked: 'stop' })
  world.actions.stop = stop
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'stopped' })
})

test('the rule of a job whose command was lost stays on its instance, unless the user cancels', async () => {
  const world = await jobsWorld(['a', 'b'].flatMap((id) => jobOnInstance(id, started, guarded)))
  const { when } = world.run()
  world.states.set('a', lost)
  await when('a', isOver)
  // The other one is to have it.
  expect(ofRules(world.asked)).toEqual(['disarm a, for b'])
  world.states.set('b', lost)
  expect((await when('b', isOver)).outcome).toEqual({ kind: 'finished', instance: 'kept' })
  expect(ofRules(world.asked)).toEqual(['disarm a, for b'])
})

test('the rule of a canceled job is removed, also when its command was lost', async () => {
  const world = await jobsWorld(jobOnInstance('a', started, guarded))
  const { jobs, when } = world.run()
  await jobs.cancel('a', 'keep')
  world.states.set('a', lost)
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'canceled', instance: 'kept' })
  expect(ofRules(world.asked)).toEqual(['disarm a'])
})

test('the rule of a job that was given up goes to another job of the instance, or stays', async () => {
  const world = await jobsWorld(['a', 'b'].flatMap((id) => jobOnInstance(id, started, guarded)))
  const { jobs, pass } = world.run()
  await pass(6_000)
  await jobs.giveUp('a')
  await jobs.giveUp('b')
  await pass(minute)
  expect(ofRules(world.asked)).toEqual(['disarm a, for b'])
})
