import fc from 'fast-check'
import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foldedName, numberedName, shownName, whyNotAFileName } from '#domain/files/file-name.ts'

describe('a name from a listing', () => {
  test.for(['report.txt', '.bashrc', 'ünïcode', 'a b', '...', 'nul'])('%s is one on POSIX', (name) => {
    expect(whyNotAFileName(name, 'posix')).toBeNull()
  })

  test.for([
    '',
    '.',
    '..',
    '/',
    '../x',
    'a/b',
    'a\0',
    '\n',
    '\u001b[2J',
    'caf\uFFFD',
    '\uD800',
    'ä'.repeat(128),
  ])('%j is none anywhere', (name) => {
    expect(whyNotAFileName(name, 'posix')).not.toBeNull()
    expect(whyNotAFileName(name, 'win32')).not.toBeNull()
  })

  test.for(['a\\b', 'C:', 'file:stream', 'nul', 'COM1.txt', 'aux', 'end.', 'end ', 'what?', 'a|b'])(
    '%j is none on Windows',
    (name) => {
      expect(whyNotAFileName(name, 'win32')).not.toBeNull()
    },
  )

  test('that passes stays in its folder, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        if (whyNotAFileName(name, 'posix') === null)
          expect(posix.dirname(posix.resolve('/folder', name))).toBe('/folder')
        if (whyNotAFileName(name, 'win32') === null)
          expect(win32.dirname(win32.resolve('C:\\folder', name))).toBe('C:\\folder')
      }),
    )
  })
})

test('names that differ in case or form only are one to some file systems', () => {
  expect(foldedName('Café')).toBe(foldedName('CAFE\u0301'))
})

test.for([
  ['report.txt', 'report (2).txt'],
  ['archive.tar.gz', 'archive.tar (2).gz'],
  ['.bashrc', '.bashrc (2)'],
  ['Makefile', 'Makefile (2)'],
] as const)('another %s is %s', ([name, expected]) => {
  expect(numberedName(name, 2)).toBe(expected)
})

test.for([
  ['plain name.txt', 'plain name.txt'],
  ['日本語 ünïcode 🚀', '日本語 ünïcode 🚀'],
  ['two\nlines\tof\u2028it', 'two�lines�of�it'],
  ['\u001b[2J\u0007', '�[2J�'],
  ['photo\u202egnp.exe', 'photo�gnp.exe'],
] as const)('%j is shown as what it is', ([name, shown]) => {
  expect(shownName(name)).toBe(shown)
})
