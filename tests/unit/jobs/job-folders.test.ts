import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outputsFolderOf, remoteFolderOf } from '#services/jobs/job-folders.ts'
import { aJob } from '../features/jobs/a-job.ts'

test('a project has a folder on the instance that tells it from one of the same name elsewhere', () => {
  const [one, other] = [remoteFolderOf('/home/me/my project'), remoteFolderOf('/data/my project')]
  expect(one).toMatch(/^slipway-jobs\/my-project-[\da-f]{8}$/)
  expect(other).toMatch(/^slipway-jobs\/my-project-[\da-f]{8}$/)
  expect(one).not.toBe(other)
  expect(remoteFolderOf('/home/me/my project')).toBe(one)
})

test('whatever a project is called, its folder there is a plain name right below the jobs’ own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(remoteFolderOf(join('/projects', name))).toMatch(/^slipway-jobs\/[\w][\w.-]*-[\da-f]{8}$/)
    }),
  )
})

test('outputs come to a folder that is named by the job and when it began, and that no other job has', () => {
  const begunAt = new Date(2026, 10, 22, 9, 5, 7).getTime()
  const named = (name: string, id: string) =>
    outputsFolderOf({ id, folder: '/project', definition: aJob({}, { name }).definition, begunAt })
  expect(named('Train: run/2', '3f2a9c1e-77')).toBe(
    join('/project', 'slipway-outputs', 'Train-run-2-2026-11-22-090507-3f2a9c'),
  )
  expect(named('..', '00b1e2d4')).toBe(join('/project', 'slipway-outputs', 'job-2026-11-22-090507-00b1e2'))
})
