import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whyNotAFileName } from '#domain/files/file-name.ts'
import { copyName } from '#services/files/open/copy-name.ts'

test.each([
  ['train.py', 'train.py'],
  ['größe 2.yaml', 'größe 2.yaml'],
  ['Makefile', 'Makefile'],
  // Hidden, and options of programs.
  ['.vimrc', '_vimrc'],
  ['..hidden.json', '__hidden.json'],
  ['-c:q.txt', '_c_q.txt'],
  ['--wait', '__wait'],
  // What a system starts.
  ['run.desktop', 'run.desktop.txt'],
  ['setup.command', 'setup.command.txt'],
  ['a.exe', 'a.exe.txt'],
  ['a.py.EXE', 'a.py.EXE.txt'],
  ['a.exe. ', 'a.exe.txt'],
  // Shells, devices of Windows, and text that isn't what it looks like.
  ['$(id);`id`.txt', '__id___id_.txt'],
  ['con', '_con.txt'],
  ['a\u202Etxt.exe', 'a_txt.exe.txt'],
  ['\\\\server\\share.txt', '__server_share.txt'],
])('a copy of %j is called %j', (name, expected) => {
  expect(copyName(name, 'posix')).toBe(expected)
})

test('a long name of characters that take three bytes each leaves room for what is written first', () => {
  expect(copyName(`${'訓'.repeat(84)}.py`, 'posix')).toBe(`${'訓'.repeat(60)}.py`)
})

test('on Windows, nothing that is started there keeps its extension', () => {
  expect(copyName('train.py', 'win32')).toBe('train.py.txt')
  expect(copyName('app.JS', 'win32')).toBe('app.JS.txt')
  expect(copyName('config.yaml', 'win32')).toBe('config.yaml')
})

test('whatever a name is, its copy is one visible file, no option, and short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), fc.boolean(), (name, isWindows) => {
      const made = copyName(name, isWindows ? 'win32' : 'posix')
      expect(whyNotAFileName(made, 'win32')).toBeNull()
      expect(made).toMatch(/^[^.\-/\\]/u)
      expect(Buffer.byteLength(made)).toBeLessThanOrEqual(200)
    }),
  )
})
