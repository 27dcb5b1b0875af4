import { describe, expect, it } from 'vitest'
import type { TransferProblem } from '#domain/files/transfer.ts'
import {
  sideNames,
  skipReasonText,
  transferProblemText,
} from '../../../../src-renderer/shared/files/transfer-text.ts'

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

it('names the instance, of two', () => {
  const [source, target] = [11, 12].map((instanceId) => ({ side: 'remote', instanceId }) as const)
  if (!source || !target) throw new Error('there are two')
  const names = sideNames({ source, target })
  const denied = { kind: 'denied', side: 'source', path: '/root' } as const
  expect(transferProblemText(denied, names)).toMatch(/^No permission for \/root on instance 11\. /)
  expect(transferProblemText({ kind: 'silent', side: 'remote' }, names)).toMatch(
    /^Instance 12: The file server/,
  )
  expect(skipReasonText({ kind: 'denied', side: 'source' }, names)).toBe('no permission on instance 11')
  expect(sideNames({ source: { side: 'local' }, target }).remote).toBe('the instance')
})
