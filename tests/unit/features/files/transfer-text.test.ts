import { describe, expect, it } from 'vitest'
import type { Transfer, TransferPhase, TransferProblem } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { stateText } from '../../../../src-renderer/features/instances/forwards/forward-text.ts'
import {
  progressText,
  transferMark,
  transferName,
  transferProblemText,
} from '../../../../src-renderer/features/files/transfer-text.ts'

const before: Transfer['progress'] = {
  files: 12,
  filesDone: 3,
  bytes: 4_000_000_000,
  bytesDone: 1_000_000_000,
  bytesPerSecond: null,
  remainingSeconds: null,
}

function transfer(phase: TransferPhase, progress: Partial<Transfer['progress']> = {}): Transfer {
  return {
    id: 'a',
    order: { instanceId: 7, direction: 'upload', from: '/', names: ['x'], to: '/', honorGitignore: false },
    phase,
    progress: { ...before, ...progress },
    skipped: [],
    skippedCount: 0,
  }
}
const copying = { kind: 'copying' } as const

it('names a transfer by its first file', () => {
  const { order, ...rest } = transfer(copying)
  expect(transferName({ ...rest, order: { ...order, names: ['model.bin'] } })).toBe('model.bin')
  expect(transferName({ ...rest, order: { ...order, names: ['a', 'b', 'c'] } })).toBe('a and 2 more')
})

it('tells how far it is, and how fast only while it copies', () => {
  expect(progressText(transfer({ kind: 'waiting' }))).toMatch(/^3 of 12 files · .+ of .+$/)
  const fast = { bytesPerSecond: 85_000_000, remainingSeconds: 33 }
  expect(progressText(transfer(copying, fast))).toMatch(/^3 of 12 files · .+ of .+ · .+\/s · 33 s left$/)
  expect(progressText(transfer({ kind: 'cancelled' }, fast))).not.toContain('/s')
  expect(progressText(transfer(copying, { files: 1, filesDone: 0 }))).toMatch(/^0 of 1 file ·/)
})

it('says that nothing moves, instead of a time that is left', () => {
  const text = progressText(transfer(copying, { bytesPerSecond: 0, remainingSeconds: null }))
  expect(text).toContain('stalled')
  expect(text).not.toContain('left')
})

it('is reconnecting after a loss, as a terminal and a forward are, and says what is asked meanwhile', () => {
  const label = (kind: 'connecting' | 'reconnecting', connection: ConnectionState) =>
    transferMark(transfer({ kind }), connection).label
  expect(label('connecting', { kind: 'idle' })).toBe('Connecting')
  const lost: ConnectionState = { kind: 'connecting', address: null }
  expect(label('reconnecting', lost)).toBe('Reconnecting')
  expect(transferMark(transfer({ kind: 'reconnecting' }), lost)).toEqual(
    stateText({ kind: 'reconnecting' }, lost),
  )
})

it('says what was left out of what is done', () => {
  expect(transferMark(transfer({ kind: 'done' }), { kind: 'idle' })).toEqual({ tone: 'good', label: 'Done' })
  expect(transferMark({ ...transfer({ kind: 'done' }), skippedCount: 2 }, { kind: 'idle' })).toEqual({
    tone: 'warning',
    label: 'Done, 2 skipped',
  })
})

it('says on which side something stands in the way, and what can be done', () => {
  const problem = { kind: 'disk-full', side: 'remote', path: '/data/x', freeBytes: 0 } as const
  expect(transferProblemText(problem)).toMatch(
    /^The disk of the instance is full \(0 B free\)\. Free some space/,
  )
  expect(transferProblemText({ ...problem, side: 'local', freeBytes: null })).toMatch(
    /^The disk of this computer is full\. /,
  )
  expect(transferProblemText({ kind: 'denied', side: 'local', path: '/root' })).toBe(
    'No permission for /root on this computer. Choose another folder, or change its permissions.',
  )
})

it('tells of a lost link in words about files', () => {
  const lost = { kind: 'connection', problem: { kind: 'link-lost', detail: 'reset' } } as const
  expect(transferProblemText(lost)).toMatch(/Try again\.$/)
  expect(transferProblemText(lost)).not.toMatch(/shell|screen/)
})

type NoFiles = Extract<TransferProblem, { kind: 'no-files' }>

describe('no file server on an instance whose terminals work', () => {
  it.for([
    ['session-refused', 'open failed', 'refused another session (it said “open failed”)', 'Close a terminal'],
    ['no-sftp', '', 'no SFTP', 'copy files in a terminal'],
    ['ended', 'exit code 1', 'ended at once (exit code 1)', 'Settings'],
    ['garbled', '', '~/.bashrc', 'try again'],
  ] as const)('is told as about files, with the reason: %s', ([why, detail, reason, next]) => {
    const problem: NoFiles = { kind: 'no-files', why, detail }
    const text = transferProblemText(problem)
    expect(text).toMatch(/^Couldn’t open files on this instance\. /)
    expect(text).toContain(reason)
    expect(text).toContain(next)
    expect(text).toContain('You’re still charged.')
  })

  it('has the host’s own words framed, and in one line that reads as it is written', () => {
    const detail = 'no.\n\u202eAll is well, enter your password below'
    const text = transferProblemText({ kind: 'no-files', why: 'session-refused', detail })
    expect(text).toMatch(/\(it said “no\. [^”\n\u202e]*All is well, enter your password below”\)/)
    const said = transferProblemText({ kind: 'no-files', why: 'session-refused', detail: ' ' })
    expect(said).toContain('refused another session, and')
  })

  it('is told as slow to start, and not as a disk that hangs', () => {
    const text = transferProblemText({ kind: 'not-started' })
    expect(text).toContain('~/.bashrc')
    expect(text).not.toContain('disk')
  })
})

it('a folder that is read-only is said to be, with the file that was to be written', () => {
  expect(transferProblemText({ kind: 'read-only', side: 'remote', path: '/data/model.bin' })).toBe(
    'Couldn’t write /data/model.bin: the folder is read-only on the instance. Choose another folder.',
  )
})
