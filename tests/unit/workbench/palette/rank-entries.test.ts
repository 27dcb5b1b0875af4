import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupEntries, mostShown } from '../../../../src-renderer/workbench/palette/grouped-entries.ts'
import type { PaletteEntry } from '../../../../src-renderer/workbench/palette/palette-entry.ts'
import { findEntries, indexEntries } from '../../../../src-renderer/workbench/palette/rank-entries.ts'

function entry(label: string, more: Partial<PaletteEntry> = {}): PaletteEntry {
  return {
    id: label,
    group: 'Actions',
    label,
    detail: '',
    icon: '',
    choice: { kind: 'go', to: '/' },
    blocked: null,
    after: 0,
    ...more,
  }
}

const labels = (entries: readonly PaletteEntry[]): readonly string[] => entries.map(({ label }) => label)
const find = (entries: readonly PaletteEntry[], query: string, recents: readonly string[] = []) =>
  labels(findEntries([indexEntries(entries)], query, recents))

describe('what fits best comes first', () => {
  test('the beginning, then the beginning of a word, then the inside, then what is said beside it', () => {
    const entries = [
      entry('beside', { detail: 'a train' }),
      entry('constraint'),
      entry('my-train'),
      entry('training'),
    ]
    expect(find(entries, 'train')).toEqual(['training', 'my-train', 'constraint', 'beside'])
  })

  test('every word counts, in any order; a word that is nowhere leaves it out', () => {
    const entries = [entry('Stop train (12)'), entry('Stop render (13)')]
    expect(find(entries, 'train stop')).toEqual(['Stop train (12)'])
    expect(find(entries, 'train start')).toEqual([])
  })

  test('words that are not shown are found as well, and case and accents do not matter', () => {
    expect(find([entry('a', { words: '203.0.113.7 RTX 4090' })], 'rtx 203.0')).toEqual(['a'])
    expect(find([entry('Orléans')], 'ORLEANS')).toEqual(['Orléans'])
    expect(find([entry('Ölfeld')], 'ölf')).toEqual(['Ölfeld'])
  })

  test('among equals: what was chosen lately, then what can be used, then the thing before what is done with it', () => {
    const entries = [
      entry('train off', { blocked: 'It does not run' }),
      entry('train act', { after: 1 }),
      entry('train'),
      entry('train lately'),
    ]
    expect(find(entries, 'train', ['train lately'])).toEqual([
      'train lately',
      'train',
      'train act',
      'train off',
    ])
    // A better fit still counts more than having been chosen.
    expect(find([entry('my train'), entry('train')], 'train', ['my train'])).toEqual(['train', 'my train'])
  })

  test('with nothing typed all are there, what was chosen lately under its own heading', () => {
    const entries = [entry('a', { group: 'Pages' }), entry('b')]
    const recents = ['b']
    const found = findEntries([indexEntries(entries)], '', recents)
    expect(groupEntries(found, { query: '', recents }).map(({ title }) => title)).toEqual(['Recent', 'Pages'])
    expect(groupEntries(found, { query: 'b', recents }).map(({ title }) => title)).toEqual([
      'Actions',
      'Pages',
    ])
  })

  test('whatever is typed, only entries that have all of it are found, each once', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (texts, query) => {
        const entries = texts.map((text, at) => entry(text, { id: String(at) }))
        const found = findEntries([indexEntries(entries)], query, [])
        const words = query.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().split(/\s+/)
        expect(new Set(found).size).toBe(found.length)
        for (const { label } of found)
          for (const word of words)
            expect(label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()).toContain(word)
      }),
    )
  })

  test('of thousands only as many are shown as somebody reads', () => {
    const entries = Array.from({ length: 17_000 }, (_, at) => entry(`instance ${at} of many`))
    const found = findEntries([indexEntries(entries)], 'of', [])
    expect(found).toHaveLength(17_000)
    const shown = groupEntries(found, { query: 'of', recents: [] }).flatMap((group) => group.entries)
    expect(shown.map(({ at }) => at)).toEqual(Array.from({ length: mostShown }, (_, at) => at))
  })
})
