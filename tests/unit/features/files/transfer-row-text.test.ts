import { expect, it } from 'vitest'
import type { Transfer, TransferPhase } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { stateText } from '../../../../src-renderer/features/instances/forwards/forward-text.ts'
import {
  awaited,
  progressText,
  routeText,
  transferMark,
  transferName,
} from '../../../../src-renderer/features/files/transfer-row-text.ts'
import { placesFor } from '../../../support/files/transfer-places.ts'

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
    order: { ...placesFor('upload', 7), from: '/', names: ['x'], to: '/', honorGitignore: false },
    phase,
    progress: { ...before, ...progress },
    skipped: [],
    skippedCount: 0,
    notifies: false,
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

it('says where files go, and between two instances also from which to which', () => {
  const { order, ...rest } = transfer(copying)
  const between = { ...order, source: { side: 'remote', instanceId: 11 }, to: '/in' } as const
  expect(routeText({ ...rest, order: { ...order, to: '/in' } })).toBe('to /in')
  expect(routeText({ ...rest, order: between })).toBe('from instance 11 to instance 7, /in')
})

it('waits for the connection that is not there', () => {
  const open: ConnectionState = {
    kind: 'open',
    address: { host: 'h', port: 22 },
    user: 'root',
    latencyMs: 1,
    silentSince: null,
  }
  const idle: ConnectionState = { kind: 'idle' }
  expect(awaited([open, idle])).toBe(idle)
  expect(awaited([open, open])).toBe(open)
})
