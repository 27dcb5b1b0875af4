import { expect, test } from 'vitest'
import { ProblemError } from '#domain/base/problem.ts'
import type { JobEvent } from '#services/jobs/job-journal.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import {
  exited,
  isInTrouble,
  isOver,
  jobOnInstance,
  jobsWorld,
  jobThatRents,
  minute,
  plan,
  started,
} from './jobs-world.ts'

const renting: readonly JobEvent[] = [{ kind: 'renting', retryId: 'retry' }, { kind: 'retrying' }]
/** The auto-retry goes on. */
const going = { id: 'retry', begunAt: 0, plan, steps: [] }
const soon = Date.UTC(2026, 0, 1)

test('giving up while an offer is looked for rents nothing afterwards', async () => {
  const world = await jobsWorld(jobThatRents('a', [], soon))
  world.retries.beginCheapest = async ({ id, signal }) => {
    world.asked.push(`look for ${id}`)
    await world.clock.sleep(10_000, signal)
    world.asked.push(`rent ${id}`)
  }
  const { jobs, find, when, pass } = world.run()
  await when('a', () => world.asked.length > 0)
  await jobs.giveUp('a')
  expect(find('a').outcome).toEqual({ kind: 'given-up', step: 'instance' })
  await pass(5 * minute)
  expect(world.asked).toEqual(['look for id-0', 'stop renting id-0, destroy'])
})

test('what was rented just when it was given up is destroyed', async () => {
  const world = await jobsWorld(jobThatRents('a', [], soon))
  world.retries.beginCheapest = async ({ id }) => {
    world.asked.push(`look for ${id}`)
    await world.clock.sleep(10_000)
    world.asked.push(`rent ${id}`)
  }
  const { jobs, when, pass } = world.run()
  await when('a', () => world.asked.length > 0)
  await jobs.giveUp('a')
  await pass(minute)
  expect(world.asked.slice(-2)).toEqual(['rent id-0', 'stop renting id-0, destroy'])
})

test('an instance that came to run just when its job was given up is destroyed, and none that a job has', async () => {
  const world = await jobsWorld([
    ...jobThatRents('a', renting, soon),
    ...jobThatRents('b', [...renting, ...started], soon),
  ])
  world.retries.state.set([going])
  const { jobs, pass } = world.run()
  await pass(6_000)
  world.retries.outcomes.set('retry', { kind: 'running', instanceId: 8 })
  await jobs.giveUp('a')
  await jobs.giveUp('b')
  await pass(minute)
  expect(world.asked).toEqual(['stop renting retry, destroy', 'destroy 8'])
})

test('giving up once more destroys what couldn’t be destroyed before', async () => {
  const world = await jobsWorld(jobThatRents('a', renting, soon))
  world.retries.state.set([going])
  const { jobs, find, pass } = world.run()
  await pass(6_000)
  world.retries.outcomes.set('retry', { kind: 'running', instanceId: 8 })
  const { destroy } = world.actions
  world.actions.destroy = () =>
    Promise.reject(new ProblemError({ kind: 'unreachable', cause: 'reset', origin: '' }))
  await expect(jobs.giveUp('a')).rejects.toThrow(ProblemError)
  const { endedAt } = find('a')
  world.actions.destroy = destroy
  await pass(6_000)
  await jobs.giveUp('a')
  expect(world.asked).toContain('destroy 8')
  expect(find('a')).toMatchObject({ endedAt, outcome: { kind: 'given-up' } })
})

test('an auto-retry of a job that was given up is ended at the next start, if it was not before', async () => {
  const outcome = { kind: 'given-up', step: 'instance' } as const
  const ended: JobEvent = { kind: 'ended', outcome, perHourUsd: null, costUsd: null }
  const world = await jobsWorld(jobThatRents('a', [...renting, ended], soon))
  world.run()
  expect(world.asked).toEqual(['stop renting retry, destroy'])
})

test.each([
  ['destroy', 'destroy', { kind: 'stopped', instanceId: null }, { kind: 'canceled', instance: 'none' }],
  ['keep', 'keep', { kind: 'stopped', instanceId: 7 }, { kind: 'canceled', instance: 'kept' }],
  ['stop', 'destroy', { kind: 'stopped', instanceId: null }, { kind: 'canceled', instance: 'none' }],
] as const)('canceling while it rents, to %s the instance', async (wanted, asked, came, outcome) => {
  const world = await jobsWorld(jobThatRents('a', renting, soon))
  world.retries.state.set([going])
  const { jobs, find, when, pass } = world.run()
  await pass(6_000)
  await jobs.cancel('a', wanted)
  await when('a', () => world.asked.length > 0)
  expect(world.asked).toEqual([`stop renting retry, ${asked}`])
  expect(find('a').outcome).toBeNull()
  world.retries.outcomes.set('retry', came)
  world.retries.state.set([])
  expect((await when('a', isOver)).outcome).toEqual(outcome)
})

test('a job can be given up whatever it’s at, and its instance isn’t touched', async () => {
  const world = await jobsWorld(jobOnInstance('a', started))
  const { jobs, find, pass } = world.run()
  await pass(6_000)
  expect(find('a').trouble).toBeNull()
  await jobs.giveUp('a')
  expect(find('a').outcome).toEqual({ kind: 'given-up', step: 'run' })
  await pass(minute)
  expect(world.asked).toEqual([])
  await jobs.forget('a')
})

test('also one whose log can’t be opened here', async () => {
  const world = await jobsWorld(jobOnInstance('a', started))
  world.logs.open = () => Promise.reject(new Error('no disk'))
  const { jobs, find, pass } = world.run()
  await pass(6_000)
  await jobs.giveUp('a')
  expect(find('a').outcome).toEqual({ kind: 'given-up', step: 'run' })
})

test('a canceled command that can’t be killed is told, tried again, and can be given up', async () => {
  const world = await jobsWorld(jobOnInstance('a', started))
  const { jobs, find, when, pass } = world.run()
  await pass(6_000)
  await jobs.cancel('a', 'destroy')
  expect((await when('a', isInTrouble)).trouble).toEqual({
    isRetrying: true,
    reason: { kind: 'on-instance', why: 'still-running' },
  })
  await pass(minute)
  expect(world.asked.length).toBeGreaterThan(2)
  await jobs.giveUp('a')
  await pass(minute)
  expect(find('a').outcome).toEqual({ kind: 'given-up', step: 'run' })
  expect(new Set(world.asked)).toEqual(new Set(['cancel a']))
})

test('outputs are done without only where they’re missing, and not because a connection is lost', async () => {
  const lost = new SshFailure({ kind: 'link-lost', detail: { code: 'closed' } })
  const world = await jobsWorld([
    ...jobOnInstance('a', [...started, exited, { kind: 'verify' }], { fetch: ['out/'] }),
    ...jobOnInstance('b', started.slice(0, 1)),
  ])
  world.files.find = () => Promise.reject(lost)
  const { jobs, find, when, pass } = world.run()
  await when('a', isInTrouble)
  // Nor is whoever asks for that told that it was done.
  const refused = { problem: { kind: 'invalid-input', fault: { code: 'ended' } } }
  const missing = { of: 'left-out', count: 1, paths: ['out/a'] } as const
  await expect(jobs.acceptMissing('a', missing)).rejects.toMatchObject(refused)
  await pass(2 * minute)
  expect(find('a')).toMatchObject({ step: 'verify', outcome: null, trouble: { isRetrying: true } })
  expect(world.asked).not.toContain('destroy 7')
  // Before a command has run there are none.
  await expect(jobs.acceptMissing('b', missing)).rejects.toMatchObject(refused)
})

test('what is done at the end is what the user said last, and a lost command keeps its instance', async () => {
  const lost: JobEvent = { kind: 'fetch', exit: { kind: 'lost', why: 'vanished' } }
  const world = await jobsWorld([
    ...jobOnInstance('a', started),
    ...jobOnInstance('b', [...started, { kind: 'canceling', instance: 'stop' }]),
    ...jobOnInstance('c', [...started, lost]),
  ])
  const { find } = world.run()
  expect(['a', 'b', 'c'].map((id) => find(id).end)).toEqual(['destroy', 'stop', 'keep'])
})
