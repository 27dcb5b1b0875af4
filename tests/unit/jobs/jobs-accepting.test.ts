import { expect, test } from 'vitest'
import type { Job } from '#domain/jobs/job.ts'
import { doesWithout } from '#services/jobs/job-record.ts'
import { shownMissing } from '../../support/jobs/shown-missing.ts'
import { exited, isInTrouble, isOver, jobOnInstance, jobsWorld, minute, started } from './jobs-world.ts'

test('who does without an output is asked again when another one is missing, too', async () => {
  const patterns = ['model.pt', 'out.csv']
  const world = await jobsWorld(jobOnInstance('a', [...started, exited], { fetch: patterns }))
  world.files.find = () => Promise.resolve({ files: [], unmatched: patterns.slice(0, 1) })
  const { jobs, find, when, pass } = world.run()
  const isMissing = (count: number) =>
    when('a', ({ trouble }) => trouble?.reason.kind === 'left-out' && trouble.reason.count === count)
  await isMissing(1)
  // Somebody removes it before the job looks again.
  world.files.find = () => Promise.resolve({ files: [], unmatched: patterns })
  await jobs.acceptMissing('a', shownMissing(find('a')))
  await isMissing(2)
  await pass(10 * minute)
  expect(find('a').outcome).toBeNull()
  expect(world.asked).not.toContain('destroy 7')
  await jobs.acceptMissing('a', shownMissing(find('a')))
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'destroyed' })
})

test('outputs that went missing after the user was asked aren’t done without', async () => {
  const patterns = ['model.pt', 'out.csv']
  const world = await jobsWorld(jobOnInstance('a', [...started, exited], { fetch: patterns }))
  world.files.find = () => Promise.resolve({ files: [], unmatched: patterns.slice(0, 1) })
  const { jobs, when, pass } = world.run()
  const asked = shownMissing(await when('a', isInTrouble))
  world.files.find = () => Promise.resolve({ files: [], unmatched: patterns })
  const areBothMissing = ({ trouble }: Pick<Job, 'trouble'>): boolean =>
    trouble?.reason.kind === 'left-out' && trouble.reason.count === 2
  jobs.retry('a')
  await when('a', areBothMissing)
  await jobs.acceptMissing('a', asked)
  await pass(10 * minute)
  expect((await when('a', areBothMissing)).outcome).toBeNull()
  expect(world.asked).not.toContain('destroy 7')
})

test.each<[string, { count?: number; paths?: readonly string[] }, readonly string[], boolean]>([
  ['the same', { count: 2, paths: ['a', 'b'] }, ['a', 'b'], true],
  ['fewer', { count: 2, paths: ['a', 'b'] }, ['b'], true],
  ['more', { count: 1, paths: ['a'] }, ['a', 'b'], false],
  ['another one', { count: 1, paths: ['a'] }, ['b'], false],
  ['as many of more than are named', { count: 3, paths: ['a'] }, ['x', 'y', 'z'], true],
  ['more than so many', { count: 3, paths: ['a'] }, ['w', 'x', 'y', 'z'], false],
  ['any, as an older build has written', {}, ['a', 'b'], true],
])('the user does without what was said: %s', (_, said, missing, does) => {
  const accepted = new Map([['differ', said]] as const)
  expect(doesWithout({ accepted }, 'differ', missing)).toBe(does)
  expect(doesWithout({ accepted }, 'left-out', missing)).toBe(false)
})
