import { describe, expect, it, test } from 'vitest'
import type { CopyState } from '#domain/files/edited-copy.ts'
import {
  copyNotification,
  runNotification,
  terminalNotification,
  transferNotification,
  type TerminalDone,
} from '#domain/notifications/done-notifications.ts'
import type { Transfer, TransferPhase } from '#domain/files/transfer.ts'
import type { RunPhase } from '#domain/runs/run.ts'
import { placesFor } from '../../../support/files/transfer-places.ts'

describe('a transfer', () => {
  const transfer = (
    phase: TransferPhase,
    skippedCount = 0,
  ): Pick<Transfer, 'order' | 'phase' | 'progress'> => ({
    order: {
      ...{ ...placesFor('upload', 7), from: '/a', names: ['b'], to: '/c', honorGitignore: false },
    },
    phase,
    progress: {
      ...{ files: 121, filesDone: 120, bytes: 3_500_000_000, bytesDone: 3_400_000_000 },
      ...{ bytesPerSecond: null, remainingSeconds: null },
    },
    ...{ skippedCount },
  })
  const told = (phase: TransferPhase, seconds: number | null = 745, skippedCount = 0) =>
    transferNotification({ ...transfer(phase), skippedCount }, seconds)

  it('that is done is told with its amount and time, and leads to its page', () => {
    expect(told({ kind: 'done' })).toEqual({
      kind: 'done',
      title: 'Upload to instance 7 finished',
      body: '120 files, 3.4 GB in 12 min.',
      instanceId: 7,
      path: '/instances/7/files',
    })
  })

  it('of which something was skipped says so; after a restart it tells no time', () => {
    expect(told({ kind: 'done' }, null, 1)?.body).toBe('120 files, 3.4 GB. Skipped: 1 entry.')
  })

  it('that needs an answer, or failed, says what it means', () => {
    expect(told({ kind: 'asking', count: 2, paths: ['a', 'b'] })).toMatchObject({
      title: 'Upload to instance 7 needs an answer',
      body: '2 files already exist. Choose what to do with them in Files.',
    })
    expect(told({ kind: 'failed', problem: { kind: 'silent' } })).toMatchObject({
      title: 'Upload to instance 7 failed',
      body: 'What was copied stays. Files shows why, and “Try again” resumes.',
    })
  })

  it.each(['waiting', 'connecting', 'reconnecting', 'copying', 'cancelled'] as const)(
    '%s: nothing',
    (kind) => {
      expect(told({ kind })).toBeNull()
    },
  )
})

describe('an edited file', () => {
  const told = (state: CopyState) => copyNotification({ instanceId: 7, state })

  it('that isn’t uploaded says what becomes of the changes, and leads to its page', () => {
    expect(told({ kind: 'waiting', problem: { kind: 'silent' } })).toEqual({
      kind: 'done',
      title: 'Edited file of instance 7 isn’t uploaded yet',
      body: 'Your changes are stored on this computer. Slipway uploads them when you’re connected again.',
      instanceId: 7,
      path: '/instances/7/files',
    })
    expect(told({ kind: 'failed', problem: { kind: 'silent' } })).toMatchObject({
      title: 'Edited file of instance 7 wasn’t uploaded',
      body: 'Your changes are stored on this computer. Files shows why.',
    })
    expect(told({ kind: 'too-long' })?.body).toBe('It’s over 16 MB. Make it smaller, then save again.')
  })

  it('that needs an answer says so', () => {
    expect(told({ kind: 'changed' })?.title).toBe('Edited file of instance 7 needs an answer')
    expect(told({ kind: 'asks-in-place', why: 'owner' })?.body).toBe(
      'Your changes are stored on this computer. Files asks how to save it on the instance.',
    )
  })

  it.each([
    { kind: 'same', uploadedAt: 1 },
    { kind: 'uploading' },
    { kind: 'missing' },
    { kind: 'waiting', problem: null },
  ] as const)('$kind: nothing', (state) => {
    expect(told(state)).toBeNull()
  })
})

describe('a command', () => {
  const exited = (code: number | null, signal: string | null = null): RunPhase => ({
    ...{ kind: 'exited', since: 0, until: 1, code, signal },
  })
  const told = (...phases: readonly RunPhase[]) =>
    runNotification({ places: phases.map((phase, index) => ({ instanceId: index + 1, phase })) })

  it('is told with how it ended where', () => {
    expect(told(exited(0), exited(0), exited(0), exited(0), exited(1))).toEqual({
      kind: 'done',
      title: 'Command ended on 5 instances',
      body: '4 succeeded, 1 failed (exit code 1).',
      instanceId: null,
      path: '/run',
    })
  })

  it('on one instance is of that', () => {
    expect(told(exited(137))).toMatchObject({
      title: 'Command ended on instance 1',
      body: '1 failed (exit code 137).',
      instanceId: 1,
    })
  })

  it('names each code once, no more than three, and no word of the host', () => {
    expect(told(exited(1), exited(1), exited(2)).body).toBe('3 failed (exit codes 1, 2).')
    expect(told(exited(1), exited(2), exited(3), exited(4)).body).toBe('4 failed.')
    expect(told(exited(null, 'SIGNED <b>by me')).body).toBe('1 failed.')
  })

  it('that was not run everywhere says so', () => {
    const failure = { kind: 'failed', problem: { kind: 'host-key-refused' }, address: null } as const
    const lost = { kind: 'lost', problem: { kind: 'link-lost', detail: '' } } as const
    const phases = [{ kind: 'not-connected', failure }, lost, { kind: 'stopped', left: 'ended' }] as const
    expect(told(...phases).body).toBe('1 not run, 1 lost the connection, 1 stopped.')
  })
})

test.each<[TerminalDone, string]>([
  [{ kind: 'silent', seconds: 10 }, 'No output for 10 seconds on instance 7'],
  [{ kind: 'command-ended', code: 1 }, 'Command ended on instance 7 (exit code 1)'],
  [{ kind: 'command-ended', code: null }, 'Command ended on instance 7'],
  [{ kind: 'shell-ended', code: 0 }, 'Shell ended on instance 7 (exit code 0)'],
  [{ kind: 'lost' }, 'Connection to instance 7 lost'],
])('a terminal, %j: %s', (end, title) => {
  expect(terminalNotification({ instanceId: 7, terminalId: 'a b' }, end)).toMatchObject({
    ...{ kind: 'done', title, instanceId: 7, path: '/terminals?show=a%20b' },
  })
})
