import { describe, expect, test } from 'vitest'
import type { JobEnd } from '#domain/jobs/job-definition.ts'
import type { Job, JobOutcome } from '#domain/jobs/job.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import {
  acceptText,
  giveUpText,
  outcomeText,
  repeatText,
} from '../../../../src-renderer/features/jobs/job-outcome-text.ts'
import { missingOf, troubleText } from '../../../../src-renderer/features/jobs/job-trouble-text.ts'
import { aJob } from './a-job.ts'

const textOf = (outcome: JobOutcome, over: Partial<Job> = {}) => outcomeText(aJob({ outcome, ...over }))?.text

describe('an outcome says what is charged', () => {
  test('kept', () => {
    expect(textOf({ kind: 'finished', instance: 'kept' })).toContain('charged $0.42/h while it runs')
    expect(textOf({ kind: 'given-up', step: 'fetch' })).toContain('charged $0.42/h')
    expect(textOf({ kind: 'given-up', step: 'end' }, { asked: 'stop' })).toContain('may still do it')
    expect(textOf({ kind: 'canceled', instance: 'kept' }, { perHourUsd: null })).toContain('(price unknown)')
  })
  test('stopped, and destroyed', () => {
    expect(textOf({ kind: 'finished', instance: 'stopped' })).toContain('charged for its disk')
    expect(textOf({ kind: 'finished', instance: 'destroyed' })).toContain('its charges ended')
  })
  test('none, and what was tried has cost something', () => {
    for (const text of [textOf({ kind: 'not-rented' }), textOf({ kind: 'canceled', instance: 'none' })]) {
      expect(text).toMatch(/none is left|No instance is left/)
      expect(text).toContain('you were charged until')
      expect(text).not.toContain('aren’t charged')
    }
  })
  test('one that is kept by its ID, or where to look for it', () => {
    expect(textOf({ kind: 'canceled', instance: 'kept' })).toContain('Instance 7 was kept')
    const text = textOf({ kind: 'canceled', instance: 'kept' }, { instanceId: null })
    expect(text).toContain('was rented for this job was kept: you’re charged')
    expect(text).toContain('Check Instances')
  })
})

test('outputs that were lost with the instance are said to be', () => {
  expect(textOf({ kind: 'instance-gone' })).toContain('are lost')
  const outputs = { files: 1, bytes: 1, bySha256: 1, folder: '/x' }
  expect(textOf({ kind: 'instance-gone' }, { outputs })).toContain('outputs are on this computer')
})

test('a job that goes on has no outcome', () => {
  expect(outcomeText(aJob())).toBeNull()
})

test.each<[JobEnd, RegExp]>([
  ['keep', /kept/],
  ['stop', /stopped.*until you destroy it/],
  ['destroy', /deleted with it\. You can’t undo this/],
])('going on without outputs says what becomes of them: %s', (end, words) => {
  expect(acceptText(aJob({ end }))).toMatch(words)
})

describe('repeating says where, and for how much', () => {
  const plan = { machines: 3, capPerHourUsd: 0.5, bootMinutes: 10, giveUpAfterMinutes: 120 }
  const place = { kind: 'rent', searchName: 'cheap', query: defaultOfferQuery } as const
  const name = (id: number) => `box (${id})`
  const rates = (runUsd: number | null) => ({ runUsd, diskUsd: null, isLimit: false })
  test('on an instance', () => {
    expect(repeatText(aJob().place, rates(0.42), name)).toMatch(
      /again on box \(7\)\. You’re charged \$0\.42\/h/,
    )
    expect(repeatText(aJob().place, rates(null), name)).toContain('(price unknown)')
  })
  test('on one that is rented', () => {
    const text = repeatText({ ...place, plan }, rates(0.5), name)
    expect(text).toMatch(/cheapest offer of “cheap” for at most \$0\.50\/h, in at most 3 attempts/)
    expect(text).toContain('charged from the moment')
    const anyPrice = { ...plan, capPerHourUsd: null }
    expect(repeatText({ ...place, plan: anyPrice }, rates(null), name)).toContain('at any price')
  })
})

test('giving up says what stays charged', () => {
  expect(giveUpText(aJob())).toContain('charged $0.42/h')
  expect(giveUpText(aJob({ instanceId: null }))).not.toContain('charged')
  const asked = aJob({ step: 'end', asked: 'destroy' })
  expect(giveUpText(asked)).toContain('asked to destroy instance 7 and may still do it')
  expect(giveUpText(asked)).not.toContain('is kept')
})

test('an instance that is left behind is said to stop itself where it may', () => {
  const rule = 'auto-stop rule may stop the instance when it’s idle for 30 minutes'
  const guarded = { stopAfterMinutes: 30 }
  const lost = { exit: { kind: 'lost', why: 'vanished' }, step: 'end' } as const
  const kept = { outcome: { kind: 'finished', instance: 'kept' } } as const
  expect(giveUpText(aJob({}, guarded))).toContain(rule)
  expect(outcomeText(aJob({ outcome: { kind: 'given-up', step: 'run' } }, guarded))?.text).toContain(rule)
  expect(outcomeText(aJob({ ...lost, ...kept }, guarded))?.text).toContain(rule)
  // None was set, or it's removed.
  for (const over of [{ step: 'upload' }, { isUnguarded: true }] as const)
    expect(giveUpText(aJob(over, guarded))).not.toContain('auto-stop')
  expect(giveUpText(aJob())).not.toContain('auto-stop')
  expect(outcomeText(aJob({ ...kept, step: 'end' }, guarded))?.text).not.toContain('auto-stop')
  const canceled = { outcome: { kind: 'canceled', instance: 'kept' } } as const
  expect(outcomeText(aJob({ ...lost, ...canceled }, guarded))?.text).not.toContain('auto-stop')
})

test('an instance that is kept is said to be stopped or destroyed later where another job does that', () => {
  const other = (over: Partial<Job>): Job => aJob({ id: 'job-2', ...over }, { name: 'Evaluate' })
  const later = 'When “Evaluate” ends, Slipway destroys the instance.'
  const kept = aJob({ outcome: { kind: 'finished', instance: 'kept' } })
  expect(outcomeText(kept, [kept, other({})])?.text).toContain(later)
  const givenUp = aJob({ outcome: { kind: 'given-up', step: 'run' } })
  expect(outcomeText(givenUp, [givenUp, other({})])?.text).toContain(later)
  expect(giveUpText(aJob(), [aJob(), other({ end: 'stop' })])).toContain('Slipway stops the instance')
  const none = [other({ end: 'keep' }), other({ instanceId: 8 }), other({ outcome: { kind: 'not-rented' } })]
  for (const one of none) expect(giveUpText(aJob(), [aJob(), one])).not.toContain('Evaluate')
})

describe('trouble', () => {
  test('that may last for ever says what the user can do, though Slipway keeps trying', () => {
    const reasons = [{ kind: 'still-starting' }, { kind: 'on-instance', why: 'still-running' }] as const
    for (const reason of reasons)
      expect(troubleText(aJob({ trouble: { isRetrying: true, reason } }))?.nextStep).toContain('give up')
  })

  test('of another job on the instance says its name, and that nothing was destroyed', () => {
    const trouble = { isRetrying: true, reason: { kind: 'other-job', name: 'Evaluate' } } as const
    expect(troubleText(aJob({ step: 'end', trouble }))?.meaning).toMatch(/^“Evaluate”.* Then .* destroyed\./)
    expect(troubleText(aJob({ step: 'end', trouble, end: 'stop' }))?.meaning).toContain('stopped.')
  })

  const differ = { kind: 'differ', count: 5, paths: ['a', 'b', 'c', 'd'] } as const

  test('none has no words', () => {
    expect(troubleText(aJob())).toBeNull()
    expect(missingOf(aJob())).toEqual([])
  })

  test('names the first outputs, how many there are, and that nothing is destroyed', () => {
    const job = aJob({ step: 'verify', trouble: { isRetrying: false, reason: differ } })
    const text = troubleText(job)
    expect(text?.title).toMatch(/^5 outputs/)
    expect(text?.meaning).toMatch(/^a, b, c, and 2 more\. /)
    expect(text?.meaning).toContain('Nothing is stopped or destroyed')
    expect(missingOf(job)).toEqual(['a', 'b', 'c', 'd', '1 more'])
  })

  test('that Slipway works on asks nothing of the user, and still says what is charged', () => {
    const text = troubleText(aJob({ trouble: { isRetrying: true, reason: differ } }))
    expect(text?.nextStep).toBe('Slipway keeps trying. You don’t need to do anything.')
    expect(text?.meaning).toContain('You’re charged $0.42/h')
  })

  test('of the connection isn’t told as the command’s', () => {
    const trouble = { isRetrying: true, reason: { kind: 'transfer', problem: { kind: 'silent' } } } as const
    expect(troubleText(aJob({ trouble }))).toMatchObject({
      title: 'Couldn’t follow the command',
      meaning: expect.stringContaining('runs on the instance without this connection') as string,
    })
    expect(troubleText(aJob({ trouble, step: 'fetch' }))?.title).toBe('Couldn’t download outputs')
  })

  test('of a rental says nothing of an instance’s price', () => {
    const reason = { kind: 'problem', problem: { kind: 'list-unavailable' } } as const
    const place = {
      kind: 'rent',
      searchName: 's',
      query: { filters: {}, order: [], type: 'x', limit: 1 },
    } as const
    const plan = { machines: 1, capPerHourUsd: 1, bootMinutes: 1, giveUpAfterMinutes: 1 }
    const text = troubleText(
      aJob({
        step: 'instance',
        instanceId: null,
        place: { ...place, query: { ...place.query, order: [] }, plan },
        trouble: { isRetrying: false, reason },
      }),
    )
    expect(text?.meaning).toContain('Nothing was rented')
    expect(text?.meaning).not.toContain('meanwhile')
  })

  test.each([
    ['retry-running', /one at a time/, /Instances/],
    ['no-ssh-key', /SSH key/, /Settings/],
    ['price-above-highest', /can’t be done/, /limits/],
  ] as const)('a rental that Slipway refuses leads to what can be done: %s', (code, meaning, nextStep) => {
    const reason = { kind: 'problem', problem: { kind: 'rental-refused', reason: { code } } } as const
    const text = troubleText(aJob({ instanceId: null, trouble: { isRetrying: false, reason } }))
    expect(text?.meaning).toMatch(meaning)
    expect(text?.meaning).toContain('You aren’t charged.')
    expect(text?.nextStep).toMatch(nextStep)
  })

  test('keeps what an instance says in one line', () => {
    const reason = { kind: 'not-running', status: 'exi\nted\u202e' } as const
    const text = troubleText(aJob({ trouble: { isRetrying: false, reason } }))
    expect(text?.meaning).not.toMatch(/[\n\u202e]/)
  })
})
