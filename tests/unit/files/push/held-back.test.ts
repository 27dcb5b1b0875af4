import { describe, expect, test } from 'vitest'
import type { PlannedFile } from '#services/files/copy-plan.ts'
import type { Comparison } from '#services/files/push/compare-trees.ts'
import { HeldFiles, isManyGone } from '#services/files/push/held-back.ts'
import { stampThere, type FileStamp } from '#services/files/push/push-decision.ts'

const stamp: FileStamp = { size: 1, modifiedAt: 1_000 }
const planned = (path: string, taken: FileStamp | null = null): PlannedFile => ({
  ...{ source: `/here/${path}`, path, size: stamp.size, targetFolder: '/there', targetName: path, kept: 0 },
  attributes: { mode: null, modifiedAt: stamp.modifiedAt },
  taken: taken && { name: path, kind: 'file', mode: null, ...taken },
})
const gone = (path: string, there = stampThere(stamp)) => ({ path, there })
const compared = (some: Partial<Comparison>): Comparison => ({
  ...{ target: { path: '/there', toBeMade: [], disk: '/there' }, folders: [], skipped: [], lines: [] },
  ...{ added: [], changed: [], conflicts: [], changedThere: [], gone: [], ignoring: new Map(), ...some },
})
const noAnswers = { replace: [], remove: [], keep: [] }
const paths = (files: readonly { readonly path: string }[]): readonly string[] =>
  files.map(({ path }) => path)

test('most of what was pushed, or more than 100 files, are many', () => {
  expect([isManyGone(1, 1), isManyGone(1, 2), isManyGone(2, 3)]).toEqual([true, false, true])
  expect([isManyGone(100, 5_000), isManyGone(101, 5_000)]).toEqual([false, true])
})

describe('without a question', () => {
  const few = compared({ added: [planned('new')], gone: [gone('old')] })

  test('what is new is sent, and a few files that are gone are deleted', () => {
    const admitted = new HeldFiles().admitUnasked(few, false, 10)
    expect([paths(admitted.files), paths(admitted.gone)]).toEqual([['new'], ['old']])
  })

  test('nothing is deleted while something isn’t sent', () => {
    for (const some of [
      { conflicts: [planned('a', { size: 2, modifiedAt: 5_000 })] },
      { skipped: [{ path: 'a', reason: { kind: 'same-name' } as const }] },
    ]) {
      const held = new HeldFiles()
      expect(held.admitUnasked({ ...few, ...some }, false, 10).gone).toEqual([])
      expect(held.counts.gone).toBe(1)
    }
    const links = [{ path: 'a', reason: { kind: 'link' } as const }]
    expect(new HeldFiles().admitUnasked({ ...few, skipped: links }, false, 10).gone).toHaveLength(1)
  })

  test('what is new or changed waits where it may have been ignored, and what is held back is told once', () => {
    const held = new HeldFiles()
    const changed = [planned('changed', stamp), planned('a/.gitignore', stamp)]
    const first = held.admitUnasked({ ...few, changed }, true, 10)
    expect([paths(first.files), first.gone]).toEqual([['a/.gitignore'], []])
    expect(held.counts).toEqual({ conflict: 0, gone: 1, uncovered: 2 })
    expect(held.has('new', stamp)).toBe(true)
    expect(held.has('new', { ...stamp, modifiedAt: 1_001 })).toBe(false)
    expect(held.admitUnasked(few, false, 10).files).toEqual([])
    held.keepOnly(new Map([['new', stamp]]))
    expect(held.counts).toEqual({ conflict: 0, gone: 0, uncovered: 1 })
  })
})

describe('by the user’s word', () => {
  test('nothing is replaced or deleted that no review has shown as it is', () => {
    const held = new HeldFiles()
    const all = { conflicts: [planned('a', stamp), planned('b', stamp)], gone: [gone('c'), gone('d')] }
    const answers = { ...noAnswers, replace: ['a', 'b'], remove: ['c', 'd'] }
    expect(held.admitAnswered(compared(all), answers, false)).toEqual({ files: [], gone: [], lines: [] })
    expect(held.counts.conflict).toBe(2)

    held.show(compared(all))
    const later = { size: 9, modifiedAt: 9_000 }
    const now = { conflicts: [planned('a', stamp), planned('b', later)], gone: [gone('c'), gone('d', later)] }
    const admitted = held.admitAnswered(compared(now), answers, false)
    expect([paths(admitted.files), paths(admitted.gone)]).toEqual([['a'], ['c']])
    expect(held.counts).toEqual({ conflict: 1, gone: 0, uncovered: 0 })
  })

  test('where files may have been ignored when they were reviewed, only those that were shown as they are are sent', () => {
    const held = new HeldFiles()
    held.show(compared({ added: [planned('a')], changed: [planned('b', stamp)] }))
    const now = compared({
      added: [planned('a'), planned('new')],
      changed: [planned('b', stamp), planned('c', stamp)],
    })
    expect(paths(held.admitAnswered(now, noAnswers, true).files)).toEqual(['a', 'b'])
    expect(held.counts.uncovered).toBe(2)
    held.answered()
    expect(held.admitAnswered(now, noAnswers, true).files).toEqual([])
    expect(held.admitAnswered(now, noAnswers, false).files).toHaveLength(4)
  })

  test('what is kept is forgotten where it’s gone, and known as it is where it changed', () => {
    const held = new HeldFiles()
    const all = compared({ conflicts: [planned('a', stamp)], gone: [gone('c')] })
    held.show(all)
    expect(held.admitAnswered(all, { ...noAnswers, keep: ['a', 'c'] }, false)).toEqual({
      ...{ files: [], gone: [] },
      lines: [
        { path: 'a', file: { here: stamp, there: stamp, how: 'kept' } },
        { path: 'c', file: null },
      ],
    })
  })
})
