import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellFolder } from '#domain/terminals/shell-wish.ts'
import { folderOfReport, shortFolder } from '../../../../src-renderer/features/terminals/working-place.ts'

describe('the folder that a shell reports', () => {
  it.each([
    ['file://machine/root/my%20data', '/root/my data'],
    ['file:///root', '/root'],
    ['file://machine/', '/'],
    ['file://machine/100%/x', '/100%/x'],
    ['file://machine/caf%C3%A9', '/café'],
  ])('%s', (report, folder) => {
    expect(folderOfReport(report)).toBe(folder)
  })

  it.each([
    ['is no file', 'https://machine/root'],
    ['is no path', 'root'],
    ['has controls', 'file:///a%0Arm%20-rf'],
    ['has an escape', 'file:///a%1B'],
    ['turns its direction', 'file:///a%E2%80%AEb'],
    ['has what no shell is sure to quote', "file:///it's"],
    ['has a backslash', 'file:///a%5C'],
    ['is endless', `file:///${'a'.repeat(2000)}`],
  ])('is not taken when it %s', (_, report) => {
    expect(folderOfReport(report)).toBeNull()
  })

  it('is always one that a shell may be opened in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        const folder = folderOfReport(`file://machine/${path}`)
        expect(folder === null || shellFolder.safeParse(folder).success).toBe(true)
      }),
    )
  })
})

it('is shown by its end', () => {
  expect(shortFolder(null)).toBeNull()
  expect(shortFolder('/')).toBe('/')
  expect(shortFolder('/root/data')).toBe('/root/data')
  expect(shortFolder('/root/data/run 1/out')).toBe('…/run 1/out')
})
