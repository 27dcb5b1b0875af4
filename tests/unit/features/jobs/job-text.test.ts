import { describe, expect, test } from 'vitest'
import { jobStep, type Job } from '#domain/jobs/job.ts'
import {
  comparedText,
  jobCostText,
  jobMark,
  noOutputsText,
  outputsText,
  stepLines,
  withCharge,
} from '../../../../src-renderer/features/jobs/job-text.ts'
import { aJob } from './a-job.ts'

const now = 80_000
const states = (job: Job) => stepLines(job, now).map(({ state }) => state)

test.each<[string, Partial<Job>]>([
  ['Running, 1:10', {}],
  ['Uploading, 45%', { step: 'upload', progress: { files: 4, filesDone: 1, bytes: 1_000, bytesDone: 459 } }],
  ['Uploading', { step: 'upload', progress: { files: 1, filesDone: 0, bytes: 0, bytesDone: 0 } }],
  ['Destroying instance', { step: 'end' }],
  ['Canceling', { isCanceling: true }],
  ['Waiting for you', { trouble: { isRetrying: false, reason: { kind: 'question' } } }],
  [
    'Waiting for another job',
    { step: 'end', trouble: { isRetrying: true, reason: { kind: 'other-job', name: 'Evaluate' } } },
  ],
  ['Running, retrying', { trouble: { isRetrying: true, reason: { kind: 'question' } } }],
  [
    'Finished, exit code 0',
    { outcome: { kind: 'finished', instance: 'kept' }, exit: { kind: 'code', code: 0 } },
  ],
  ['Exit code 3', { outcome: { kind: 'finished', instance: 'kept' }, exit: { kind: 'code', code: 3 } }],
  ['Canceled', { outcome: { kind: 'canceled', instance: 'kept' } }],
  ['No instance rented', { outcome: { kind: 'not-rented' } }],
])('a job says how it stands: %s', (label, over) => {
  expect(jobMark(aJob(over), now).label).toBe(label)
})

test('a failed command isn’t shown as good, whatever became of the instance', () => {
  const failed = aJob({
    outcome: { kind: 'finished', instance: 'destroyed' },
    exit: { kind: 'code', code: 1 },
  })
  expect(jobMark(failed, now).tone).toBe('bad')
})

test('steps before the present one are done, and those after it aren’t begun', () => {
  expect(states(aJob())).toEqual(['done', 'done', 'done', 'now', 'open', 'open', 'open'])
  expect(states(aJob({ trouble: { isRetrying: true, reason: { kind: 'question' } } }))[3]).toBe('trouble')
  expect(states(aJob({ outcome: { kind: 'given-up', step: 'run' } }))[3]).toBe('stopped')
  const finished = aJob({ step: 'end', outcome: { kind: 'finished', instance: 'kept' } })
  const canceled = aJob({ step: 'end', outcome: { kind: 'canceled', instance: 'kept' } })
  expect(new Set(states(canceled))).toEqual(new Set(['done']))
  const failed = aJob({ ...finished, exit: { kind: 'code', code: 3 } })
  expect(states(failed)).toEqual(['done', 'done', 'done', 'failed', 'done', 'done', 'done'])
  // What was chosen on canceling counts, and not what the job was to end with.
  expect(stepLines(canceled, now)[6]?.label).toBe('Keep the instance')
  const canceling = aJob({ isCanceling: true, end: 'keep' })
  expect(stepLines(canceling, now)[6]?.label).toBe('Keep the instance')
  expect(jobMark({ ...canceling, isCanceling: false, step: 'end' }, now).label).toBe('Finishing')
  expect(stepLines({ ...canceling, instanceId: null }, now)[6]?.label).toBe('End the job')
  expect(new Set(states(finished))).toEqual(new Set(['done']))
  const lost = aJob({ ...finished, exit: { kind: 'lost', why: 'restarted' } })
  expect(stepLines(lost, now)[6]?.label).toBe('Keep the instance')
  expect(stepLines(aJob(), now).map(({ step }) => step)).toEqual(jobStep.options)
})

test('a running command that hasn’t been heard from says since when', () => {
  const detail = (at: number) => stepLines(aJob(), at)[3]?.detail
  expect(detail(now)).toBe('1:10')
  expect(detail(now + 600_000)).toBe('11:10, last heard from 10:10 ago')
})

test('links that weren’t uploaded are told once the rest is', () => {
  const detail = (step: Job['step'], unsentLinks: number) =>
    stepLines(aJob({ step, unsentLinks }), now)[1]?.detail
  expect([detail('upload', 0), detail('start', 0)]).toEqual(['', ''])
  expect(detail('start', 1)).toBe('1 link or special file skipped')
  expect(detail('end', 2)).toBe('2 links or special files skipped')
})

test('a job that has ended isn’t waiting for outputs', () => {
  expect(noOutputsText(aJob())).toBe('No outputs yet.')
  expect(noOutputsText(aJob({ outcome: { kind: 'instance-gone' } }))).toBe('No outputs were downloaded.')
  expect(noOutputsText(aJob({}, { fetch: [] }))).toBe('The job asks for no outputs.')
})

describe('what an instance costs', () => {
  const record = { id: 7, dph_total: 0.5, storage_total_cost: 0.02 }
  const listed = (status: string, of: object = record) => ({ status, record: { id: 7, ...of }, history: [] })
  test.each([
    ['running', listed('running'), 0.5],
    ['stopped: its disk alone', listed('exited'), 0.02],
    ['running without a price: as before', listed('running', {}), 0.42],
    ['stopped without a price: unknown', listed('exited', {}), null],
    ['not listed: as before', undefined, 0.42],
  ])('%s', (_, instance, perHourUsd) => {
    expect(withCharge(aJob(), instance).perHourUsd).toBe(perHourUsd)
  })
  test('after the job: as it was', () => {
    const ended = aJob({ outcome: { kind: 'finished', instance: 'stopped' } })
    expect(withCharge(ended, listed('exited'))).toBe(ended)
  })
})

test('an unknown price is said, and isn’t 0', () => {
  expect(jobCostText({ costUsd: null })).toBe('price unknown')
  expect(jobCostText({ costUsd: 0.004 })).toBe('< $0.01')
})

test('outputs say how they were compared', () => {
  const outputs = (files: number, bySha256: number) =>
    aJob({ outputs: { files, bytes: 2_000, bySha256, folder: '/home/sam/train' } })
  expect(outputsText(outputs(2, 2))).toBe('2 files, 2 kB')
  expect(outputsText(outputs(0, 0))).toBe('No files')
  expect(comparedText(outputs(2, 2))).toContain('SHA-256 compared')
  expect(comparedText(outputs(2, 0))).toMatch(/^Same size/)
  expect(comparedText(outputs(2, 1))).toContain('1 of 2')
  expect(comparedText(outputs(0, 0))).toBe('')
})
