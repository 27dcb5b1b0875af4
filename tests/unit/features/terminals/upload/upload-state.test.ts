import { expect, it } from 'vitest'
import type { Transfer, TransferPhase } from '#domain/files/transfer.ts'
import {
  namesToPaste,
  noted,
  uploadStateOf,
  type UploadPart,
} from '../../../../../src-renderer/features/terminals/upload/upload-state.ts'

function transfer(id: string, phase: TransferPhase, more: Partial<Transfer> = {}): Transfer {
  return {
    id,
    phase,
    order: {
      source: { side: 'local' },
      target: { side: 'remote', instanceId: 1 },
      from: '/d',
      names: ['a'],
      to: '/root',
      honorGitignore: false,
    },
    progress: {
      files: 1,
      filesDone: 0,
      bytes: 1,
      bytesDone: 0,
      bytesPerSecond: null,
      remainingSeconds: null,
    },
    skipped: [],
    skippedCount: 0,
    notifies: false,
    ...more,
  }
}
const part = (id: string, names: readonly string[] = ['a']): UploadPart => ({
  id,
  names,
  isKnown: false,
  hasAsked: false,
})
const problem = { kind: 'silent' } as const
const asking = { kind: 'asking', count: 1, paths: ['a'] } as const

it.each<[string, readonly Transfer[], string]>([
  ['nothing is told yet', [], 'going'],
  ['one is under way', [transfer('1', { kind: 'done' }), transfer('2', { kind: 'copying' })], 'going'],
  ['one goes on', [transfer('1', { kind: 'paused' }), transfer('2', { kind: 'copying' })], 'going'],
  ['what is left is paused', [transfer('1', { kind: 'paused' }), transfer('2', { kind: 'done' })], 'paused'],
  ['one asks', [transfer('1', { kind: 'copying' }), transfer('2', asking)], 'asking'],
  ['one failed', [transfer('1', { kind: 'failed', problem }), transfer('2', { kind: 'done' })], 'failed'],
  ['all were canceled', [transfer('1', { kind: 'cancelled' }), transfer('2', { kind: 'cancelled' })], 'gone'],
])('where %s', (_, transfers, kind) => {
  expect(uploadStateOf([part('1'), part('2')], transfers).kind).toBe(kind)
})

it('what its user has removed from the list is gone, and what was not told yet is not', () => {
  const known = noted(part('1'), [transfer('1', { kind: 'failed', problem })])
  expect(uploadStateOf([known], [])).toEqual({ kind: 'gone' })
  expect(uploadStateOf([part('1')], [])).toEqual({ kind: 'going', pastes: true })
})

it('what is there is named, without what was skipped or canceled', () => {
  const skipped = [
    { path: 'b', reason: { kind: 'link' } as const },
    { path: 'c/d', reason: { kind: 'link' } as const },
  ]
  const transfers = [
    transfer('1', { kind: 'done' }, { skipped, skippedCount: 2 }),
    transfer('2', { kind: 'cancelled' }),
  ]
  expect(uploadStateOf([part('1', ['a', 'b', 'c']), part('2', ['x'])], transfers)).toEqual({
    kind: 'done',
    names: ['a', 'c'],
    skipped: 2,
    doubt: null,
  })
})

it('after a question about names, none of them is relied on', () => {
  const asked = noted(part('1'), [transfer('1', asking)])
  expect(uploadStateOf([asked], [transfer('1', { kind: 'copying' })])).toEqual({
    kind: 'going',
    pastes: false,
  })
  const state = uploadStateOf(
    [noted(asked, [transfer('1', { kind: 'done' })])],
    [transfer('1', { kind: 'done' })],
  )
  expect(state).toMatchObject({ kind: 'done', doubt: 'asked' })
  expect(namesToPaste(state)).toEqual([])
})

it('only what failed is named as such', () => {
  const transfers = [transfer('1', { kind: 'done' }), transfer('2', { kind: 'failed', problem })]
  expect(uploadStateOf([part('1', ['a']), part('2', ['x', 'y'])], transfers)).toEqual({
    kind: 'failed',
    problem,
    names: ['x', 'y'],
  })
})

it.each([
  [1, ['a']],
  [2, []],
])('of %i skipped entries, one of them named, %j may be pasted', (skippedCount, names) => {
  const skipped = [{ path: 'b', reason: { kind: 'link' } as const }]
  const state = uploadStateOf(
    [part('1', ['a', 'b'])],
    [transfer('1', { kind: 'done' }, { skipped, skippedCount })],
  )
  expect(namesToPaste(state)).toEqual(names)
})
