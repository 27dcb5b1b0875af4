import { expect, test } from 'vitest'
import type { Transfer, TransferPhase } from '#domain/files/transfer.ts'
import { arranged, movesOf, queueText } from '../../../../src-renderer/features/files/transfer-queue.ts'
import { placesFor } from '../../../support/files/transfer-places.ts'

function transfer(id: string, kind: 'waiting' | 'paused' | 'copying' | 'done', instanceId = 1): Transfer {
  const phase: TransferPhase = { kind }
  const moving = kind === 'copying'
  return {
    id,
    order: { ...placesFor('upload', instanceId), from: '/a', names: [id], to: '/b', honorGitignore: false },
    phase,
    progress: {
      files: moving ? 4 : 0,
      filesDone: 0,
      bytes: moving ? 4e9 : 0,
      bytesDone: moving ? 1e9 : 0,
      bytesPerSecond: moving ? 1e8 : null,
      remainingSeconds: moving ? 30 : null,
    },
    skipped: [],
    skippedCount: 0,
    notifies: false,
  }
}

const list = [
  transfer('old', 'done'),
  transfer('later', 'done'),
  transfer('next', 'waiting'),
  transfer('runs', 'copying'),
  transfer('stops', 'paused'),
  transfer('else', 'waiting', 2),
]
const idsOf = (transfers: readonly Transfer[]) => transfers.map(({ id }) => id)
const named = (id: string) => list.find((one) => one.id === id) ?? transfer('none', 'done')

test('what goes on comes first, then the queue with the next one first, then the latest end', () => {
  expect(idsOf(arranged(list))).toEqual(['runs', 'next', 'stops', 'else', 'later', 'old'])
})

test('one moves only in the queue of its own instance, and only where there is another', () => {
  expect(movesOf(named('next'), list)).toEqual({ earlier: false, later: true })
  expect(movesOf(named('stops'), list)).toEqual({ earlier: true, later: false })
  for (const id of ['else', 'runs', 'old'])
    expect(movesOf(named(id), list)).toEqual({ earlier: false, later: false })
})

test('the sum says how far all that goes on is, and how many wait', () => {
  expect(queueText(list)).toMatch(/^1 transfer · 1.* of 4.* · 100.*\/s · 30 s left · 3 queued$/)
  expect(queueText([named('next')])).toBe('1 queued')
  expect(queueText([named('old')])).toBe('')
})

test('one between two instances stands in the queues of both', () => {
  const mine = transfer('mine', 'waiting', 11)
  const between: Transfer = {
    ...transfer('between', 'waiting', 12),
    order: { ...mine.order, source: mine.order.target, target: { side: 'remote', instanceId: 12 } },
  }
  const theirs = transfer('theirs', 'waiting', 12)
  const all = [mine, between, theirs]
  expect(all.map((one) => movesOf(one, all))).toEqual([
    { earlier: false, later: true },
    { earlier: true, later: true },
    { earlier: true, later: false },
  ])
})
