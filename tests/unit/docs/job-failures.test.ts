import { expect, test } from 'vitest'
import type { Job, JobOutcome, JobTrouble } from '#domain/jobs/job.ts'
import { outcomeText } from '../../../src-renderer/features/jobs/job-outcome-text.ts'
import { troubleText } from '../../../src-renderer/features/jobs/job-trouble-text.ts'
import { aJob } from '../features/jobs/a-job.ts'
import { textOf } from './pages.ts'

type Reason = JobTrouble['reason']
type Why = Extract<Reason, { kind: 'on-instance' }>['why']

const stuck = (reason: Reason, over: Partial<Job> = {}, isRetrying = false): Job =>
  aJob({ trouble: { isRetrying, reason }, ...over })
const why = (of: Why): Job => stuck({ kind: 'on-instance', why: of }, { step: 'start' })
const ended = (outcome: JobOutcome, over: Partial<Job> = {}): Job => aJob({ outcome, step: 'end', ...over })
const finished = { kind: 'finished', instance: 'kept' } as const
const full = {
  kind: 'transfer',
  problem: { kind: 'disk-full', side: 'local', path: 'out', freeBytes: null },
} as const
const two = { count: 2, paths: ['a', 'b'], entries: [{ path: 'a', reason: { kind: 'link' } }] } as const

/** What can be in the way of a job: a kind that is new has no place here, and none in the guide. */
const troubles: Readonly<Record<Exclude<Reason['kind'], 'on-instance'>, readonly Job[]>> = {
  problem: [
    stuck({ kind: 'problem', problem: { kind: 'rental-refused', reason: { code: 'no-ssh-key' } } }),
    stuck(
      { kind: 'problem', problem: { kind: 'refused', status: 400, code: 'no_credit', message: 'no credit' } },
      {
        step: 'instance',
        instanceId: null,
        place: {
          kind: 'rent',
          searchName: 'cheap',
          query: { filters: {}, order: [], type: 'on-demand', limit: 1 },
          plan: { machines: 1, capPerHourUsd: 1, bootMinutes: 1, giveUpAfterMinutes: 1 },
        },
      },
    ),
    stuck({ kind: 'problem', problem: { kind: 'storage-failed', file: 'jobs.jsonl', detail: 'full' } }),
  ],
  transfer: [
    stuck({ kind: 'transfer', problem: { kind: 'silent' } }, {}, true),
    stuck(full, { step: 'fetch' }),
    stuck(full, { step: 'upload' }),
  ],
  question: [stuck({ kind: 'question' })],
  'not-running': [stuck({ kind: 'not-running', status: 'stopped' })],
  'still-starting': [stuck({ kind: 'still-starting' }, { step: 'instance' })],
  'other-job': [stuck({ kind: 'other-job', name: 'another' }, { step: 'end' })],
  differ: [stuck({ kind: 'differ', ...two }, { step: 'verify' })],
  'left-out': [
    stuck({ kind: 'left-out', ...two }, { step: 'upload' }),
    stuck({ kind: 'left-out', ...two }, { step: 'fetch' }),
  ],
}
const refusals: Readonly<Record<Why, Job>> = {
  'read-only': why('read-only'),
  'disk-full': why('disk-full'),
  'no-procfs': why('no-procfs'),
  'no-answer': why('no-answer'),
  'busy-folder': why('busy-folder'),
  failed: why('failed'),
  'unknown-job': why('unknown-job'),
  'still-running': why('still-running'),
}
const ends: Readonly<Record<JobOutcome['kind'], readonly Job[]>> = {
  finished: [
    ended(finished, {
      exit: { kind: 'code', code: 1 },
      outputs: { files: 0, bytes: 0, bySha256: 0, folder: '' },
    }),
    ended(finished, { exit: { kind: 'lost', why: 'restarted' } }),
    ended(finished, { exit: { kind: 'lost', why: 'vanished' } }),
  ],
  canceled: [ended({ kind: 'canceled', instance: 'kept' })],
  'not-rented': [ended({ kind: 'not-rented' }, { instanceId: null })],
  'instance-gone': [ended({ kind: 'instance-gone' })],
  'given-up': [ended({ kind: 'given-up', step: 'fetch' })],
}

const straight = (text: string): string => text.replaceAll('’', "'")
const all = [...Object.values(troubles).flat(), ...Object.values(refusals), ...Object.values(ends).flat()]
const titles = all.map((job) => straight((outcomeText(job) ?? troubleText(job))?.title ?? ''))
const sentences = straight(
  all.map((job) => outcomeText(job)?.text ?? Object.values(troubleText(job) ?? {}).join(' ')).join(' '),
)

/** The rows of the guide's table, by their cells. */
const rows = textOf('docs/guide/jobs.md')
  .split('### What happens at each kind of failure')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .slice(1)
  .map((line) => line.split('|').slice(1, -1))

test('the guide names each failure of a job by the title that Slipway shows, and no other', () => {
  const named = (rows ?? []).flatMap(([, shown = '']) =>
    [...shown.matchAll(/\*\*([^*]+)\*\*/g)].map(([, title]) => title),
  )
  expect([...new Set(named)].toSorted()).toEqual([...new Set(titles)].toSorted())
})

test('what it quotes is what Slipway says', () => {
  const quoted = (rows ?? []).flatMap((cells) =>
    [...cells.join('|').matchAll(/"([^"]+)"/g)].map(([, text]) => text ?? ''),
  )
  expect(quoted.length).toBeGreaterThan(5)
  expect(quoted.filter((text) => !sentences.includes(text))).toEqual([])
})
