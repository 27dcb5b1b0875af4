import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FolderSize } from '#domain/files/file-change.ts'
import {
  changedText,
  modeText,
  octalMode,
  sizeDetail,
  sizeText,
} from '../../../../src-renderer/features/files/entry-text.ts'

describe('a mode', () => {
  it.each([
    [0o755, 0, 'rwxr-xr-x', '0755'],
    [0o644, 0, 'rw-r--r--', '0644'],
    [0, 0, '---------', '0000'],
    [0o777, 0o1000, 'rwxrwxrwt', '1777'],
    [0o755, 0o4000, 'rwsr-xr-x', '4755'],
    [0o644, 0o7000, 'rwSr-Sr-T', '7644'],
  ])('%o with %o is %s', (mode, special, text, octal) => {
    expect(modeText({ mode, special })).toBe(text)
    expect(octalMode({ mode, special })).toBe(octal)
  })

  it('is empty where the system has none', () => {
    expect([modeText({ mode: null }), octalMode({ mode: null })]).toEqual(['', ''])
  })

  it('is told of nine places, and by the number that chmod takes, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0o777 }), fc.integer({ min: 0, max: 7 }), (mode, bits) => {
        const entry = { mode, special: bits * 0o1000 }
        expect(modeText(entry)).toMatch(/^[-r][-w][-xsS][-r][-w][-xsS][-r][-w][-xtT]$/)
        expect(Number.parseInt(octalMode(entry), 8)).toBe(mode | entry.special)
      }),
    )
  })
})

describe('a time', () => {
  it('is told to the minute, also the latest one there is', () => {
    expect(changedText(Date.UTC(2026, 10, 3, 14, 5, 9))).toMatch(/^2026-11-0[34] \d\d:\d\d$/)
    expect(changedText(8.64e15)).toMatch(/^275760-09-1[23] \d\d:\d\d$/)
    expect(changedText(null)).toBe('–')
  })
})

const size = (given: Partial<FolderSize> = {}): FolderSize => ({
  ...{ bytes: 1_200_000_000, files: 12, folders: 1, unread: 0, cutShort: null },
  ...given,
})
const entry = { name: 'x', kind: 'folder', size: 4096, modifiedAt: null, mode: null } as const

describe('a size', () => {
  it('is that of a file; a folder has one once it was counted', () => {
    expect(sizeText({ ...entry, kind: 'file', size: 2 ** 63 }, undefined)).toBe('9,223 PB')
    expect(sizeText({ ...entry, kind: 'link' }, undefined)).toBe('')
    expect(sizeText(entry, undefined)).toBe('')
    expect(sizeText(entry, { kind: 'counting' })).toBe('Counting…')
    expect(sizeText(entry, { kind: 'counted', size: size() })).toBe('1.2 GB')
    expect(sizeText(entry, { kind: 'counted', size: size({ cutShort: 'too-many' }) })).toBe('≥ 1.2 GB')
  })

  it('says what it is made of, and what is missing', () => {
    expect(sizeDetail({ kind: 'counted', size: size() })).toBe('1.2 GB in 12 files and 1 folder.')
    expect(sizeDetail({ kind: 'counted', size: size({ unread: 2, cutShort: 'too-long' }) })).toBe(
      'At least 1.2 GB in 12 files and 1 folder. 2 folders couldn’t be read. Counting the rest takes too long.',
    )
    expect(
      sizeDetail({ kind: 'failed', problem: { kind: 'missing', side: 'remote', path: '/gone' } }),
    ).toContain('/gone')
    expect(sizeDetail({ kind: 'counting' })).toBeNull()
  })
})
