import { expect, test } from 'vitest'
import type { Found, FoundFile } from '#services/files/outputs/find-files.ts'
import { shownMissing } from '../../support/jobs/shown-missing.ts'
import { exited, isInTrouble, isOver, jobOnInstance, jobsWorld, started } from './jobs-world.ts'

const reason = { kind: 'link' } as const
const link: FoundFile = { path: 'out/best.pt', size: 9, mode: null, modifiedAt: 1, fault: reason }
const isEnded = { kind: 'exited', code: 0, isCanceled: false, bytes: 0 } as const

/** What is there of outputs, and what can't be copied of it. */
function finds(world: Awaited<ReturnType<typeof jobsWorld>>, found: Found): void {
  world.files.find = () => Promise.resolve(found)
  world.files.fetch = ({ files }) =>
    Promise.resolve({
      skipped: files.flatMap(({ path, fault }) => (fault === null ? [] : [{ path, reason: fault }])),
    })
}

test('a link that was there before the command holds the job: what it leads to may be new', async () => {
  const world = await jobsWorld(jobOnInstance('a', started.slice(0, 1), { fetch: ['out/'] }))
  finds(world, { files: [link], unmatched: [] })
  const { jobs, find, when } = world.run()
  await when('a', ({ step }) => step === 'run')
  world.states.set('a', isEnded)
  expect((await when('a', isInTrouble)).trouble?.reason).toEqual({
    kind: 'left-out',
    count: 1,
    entries: [{ path: 'out/best.pt', reason }],
  })
  await jobs.acceptMissing('a', shownMissing(find('a')))
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'finished', instance: 'destroyed' })
})

test('canceling after the command has ended by itself doesn’t do without its outputs', async () => {
  const world = await jobsWorld(jobOnInstance('a', [...started, exited], { fetch: ['out/'] }))
  finds(world, { files: [], unmatched: ['out/'] })
  const { jobs, when, pass } = world.run()
  await when('a', isInTrouble)
  await jobs.cancel('a', 'destroy')
  await pass(30_000)
  // It looks once more, and may be about to when so much time has gone by.
  expect(await when('a', (job) => isInTrouble(job) || isOver(job))).toMatchObject({
    ...{ outcome: null, trouble: { reason: { kind: 'left-out', count: 1 } } },
  })
  expect(world.asked).not.toContain('destroy 7')
})

test('a command that was canceled needn’t have made its outputs', async () => {
  const world = await jobsWorld(jobOnInstance('a', started, { fetch: ['out/'] }))
  finds(world, { files: [], unmatched: ['out/'] })
  world.states.set('a', { kind: 'exited', code: 143, isCanceled: true, bytes: 0 })
  const { jobs, when } = world.run()
  await jobs.cancel('a', 'destroy')
  expect((await when('a', isOver)).outcome).toEqual({ kind: 'canceled', instance: 'destroyed' })
})
