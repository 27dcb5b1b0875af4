import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jobDefinition, type JobDefinition } from '#domain/jobs/job-definition.ts'
import { jobEntry, type JobEntry, type JobEvent } from '#services/jobs/job-journal.ts'
import { costUsdOf, endOf, jobsOf } from '#services/jobs/job-record.ts'
import { JobRecords } from '#services/jobs/job-records.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'

const definition: JobDefinition = {
  name: 'Train',
  command: 'true',
  send: { honorGitignore: true, exclude: [] },
  fetch: ['out/'],
  then: 'stop',
  stopAfterMinutes: null,
}

const begun = (id: string): JobEntry => ({
  kind: 'begun',
  ...{ id, at: 0, definition, folder: '/project', remoteFolder: 'slipway-jobs/project-1' },
  place: { kind: 'instance', instanceId: 7 },
  identity: { machineId: 1, startedAt: null },
  sealedOptions: null,
})

const happened = (id: string, event: JobEvent, at: number): JobEntry => ({ kind: 'event', id, at, event })

const instance = { id: 7, identity: { machineId: 1, startedAt: null }, since: 1_000, perHourUsd: 0.5 }
const outputs = { files: 1, bytes: 2, bySha256: 1, folder: '/project/slipway-outputs/x' }
const ended: JobEvent = {
  kind: 'ended',
  outcome: { kind: 'finished', instance: 'stopped' },
  perHourUsd: 0.5,
  costUsd: 0.1,
}

/** A whole job, in the order of its steps. */
const course: readonly JobEvent[] = [
  { kind: 'renting', retryId: 'retry' },
  { kind: 'retrying' },
  { kind: 'upload', instance },
  { kind: 'start' },
  { kind: 'run' },
  { kind: 'fetch', exit: { kind: 'code', code: 3 } },
  { kind: 'verify' },
  { kind: 'end', outputs },
  ended,
]
const stepsOfCourse = ['instance', 'instance', 'upload', 'start', 'run', 'fetch', 'verify', 'end', 'end']

test('after whichever entry it breaks off, a job is at the step that was written last, with all that is known', () => {
  for (const [index, step] of stepsOfCourse.entries()) {
    const entries = [begun('a'), ...course.slice(0, index + 1).map((event, at) => happened('a', event, at))]
    const record = jobsOf(entries).get('a')
    expect(record?.step, String(course[index]?.kind)).toBe(step)
    expect(record?.outcome === null).toBe(index < course.length - 1)
    expect(record?.instance).toEqual(index < 2 ? { ...instance, since: 0, perHourUsd: null } : instance)
    expect(record?.startedAt).toBe(index < 4 ? null : 4)
    expect(record?.exit).toEqual(index < 5 ? null : { kind: 'code', code: 3 })
    expect(record?.outputs).toEqual(index < 7 ? null : outputs)
  }
})

test('an auto-retry that was written down is known to have begun only by the line after it', () => {
  const after = (count: number) =>
    jobsOf([begun('a'), ...course.slice(0, count).map((event) => happened('a', event, 1))]).get('a')?.retry
  expect([after(0), after(1), after(2)]).toEqual([
    null,
    { id: 'retry', isBegun: false },
    { id: 'retry', isBegun: true },
  ])
})

const wish = fc.oneof(
  fc.constantFrom<JobEvent>(
    ...course,
    { kind: 'accepting', of: 'left-out' },
    { kind: 'accepting', of: 'differ' },
    { kind: 'forgotten' },
    { kind: 'notifying', isOn: false },
  ),
  fc.constantFrom('keep', 'stop', 'destroy').map((end): JobEvent => ({ kind: 'canceling', instance: end })),
)

test('whatever is written after its end, a job has ended once and for all, and only then it is forgotten', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 12 }), fc.array(wish, { maxLength: 12 }), (before, after) => {
      const first = jobsOf([begun('a'), ...before.map((event, at) => happened('a', event, at))]).get('a')
      if (!before.some(({ kind }) => kind === 'ended')) expect(first?.outcome).toBeNull()
      const all = [...before, ended, ...after].map((event, at) => happened('a', event, at))
      const last = jobsOf([begun('a'), ...all]).get('a')
      const isForgotten = last === undefined
      expect(isForgotten).toBe(
        [...before, ended, ...after].some(
          ({ kind }, index, events) =>
            kind === 'forgotten' && events.slice(0, index).some((one) => one.kind === 'ended'),
        ),
      )
      if (!isForgotten) expect(last.outcome).toEqual(ended.kind === 'ended' && ended.outcome)
    }),
  )
})

test('each entry is read again as it was written, and the same lines give the same jobs', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 20 }), (events) => {
      const entries = [begun('a'), ...events.map((event, at) => happened('a', event, at))]
      const again = entries.map((entry) => jobEntry.parse(JSON.parse(JSON.stringify(entry))))
      expect([...jobsOf(again)]).toEqual([...jobsOf(entries)])
    }),
  )
})

test('what the user wants at the end counts before what the job was to do', () => {
  const exit = { kind: 'code', code: 1 } as const
  const asked = null
  expect(endOf({ definition, asked, canceling: null, exit })).toBe('stop')
  expect(endOf({ definition, asked, canceling: 'destroy', exit })).toBe('destroy')
  const lost = { kind: 'lost', why: 'vanished' } as const
  expect(endOf({ definition, asked, canceling: null, exit: lost })).toBe('keep')
  expect(endOf({ definition, asked, canceling: 'destroy', exit: lost })).toBe('destroy')
})

test('a job costs its instance’s price for as long as it has it, and nothing while either is unknown', () => {
  expect(costUsdOf({ instance }, 0.5, 1_000 + 7_200_000)).toBe(1)
  expect(costUsdOf({ instance }, null, 5_000)).toBeNull()
  expect(costUsdOf({ instance: null }, 0.5, 5_000)).toBeNull()
  expect(costUsdOf({ instance }, 0.5, 0), 'a clock that was set back').toBe(0)
})

test('of jobs that have ended the newest 200 are kept, and all that go on; nothing is kept of others', async () => {
  const journal = memoryJournal<JobEntry>()
  for (let index = 0; index < 205; index += 1)
    await journal.append(begun(`job-${index}`), happened(`job-${index}`, ended, index))
  await journal.append(begun('open'))
  await journal.append(begun('forgotten'), happened('forgotten', ended, 300))
  await journal.append(happened('forgotten', { kind: 'forgotten' }, 300))
  const deleted: string[] = []
  const records = new JobRecords({
    journal,
    deleteFiles: (id) => {
      expect(
        journal.entries.some((entry) => entry.id === id),
        'found again after a crash',
      ).toBe(true)
      deleted.push(id)
      return Promise.resolve()
    },
    clock: new FakeClock(),
  })
  await records.open()
  expect(deleted).toEqual([...[0, 1, 2, 3, 4].map((index) => `job-${index}`), 'forgotten'])
  expect(records.all.size).toBe(201)
  expect([records.get('job-4'), records.get('job-5')?.id, records.get('open')?.id]).toEqual([
    undefined,
    'job-5',
    'open',
  ])
  expect(journal.entries.filter(({ id }) => id === 'job-4')).toEqual([])
})

test('a job that an older build began with a pattern that is refused now goes on', () => {
  const entry = begun('a') as Extract<JobEntry, { kind: 'begun' }>
  const send = { honorGitignore: true, exclude: ['data/', '!data/keep.txt'] }
  const old = { ...entry, definition: { ...definition, send } }
  expect(jobEntry.parse(old)).toEqual(old)
  expect(jobDefinition.safeParse(old.definition).success).toBe(false)
})

test('nothing is deleted of a job whose beginning can’t be read', async () => {
  const entries = course.map((event, at) => happened('a', event, at))
  const journal = memoryJournal([...entries])
  const records = new JobRecords({
    journal,
    deleteFiles: (id) => Promise.reject(new Error(`deletes ${id}`)),
    clock: new FakeClock(),
  })
  await records.open()
  expect(records.all.size).toBe(0)
  expect(journal.entries).toEqual(entries)
})

test('a job that was forgotten writes nothing more', async () => {
  const deleteFiles = () => Promise.resolve()
  const records = new JobRecords({ journal: memoryJournal<JobEntry>(), deleteFiles, clock: new FakeClock() })
  await records.open()
  const { kind: _1, id: _2, at: _3, ...order } = begun('a') as Extract<JobEntry, { kind: 'begun' }>
  await records.begin('a', order)
  await records.append('a', ended)
  await records.append('a', { kind: 'forgotten' })
  await expect(records.append('a', { kind: 'run' })).rejects.toThrow('forgotten')
})
