import { expect, it } from 'vitest'
import { isReport, keyFor } from '../../../../../src-renderer/features/terminals/screen/typed-input.ts'

it.each([
  ['device attributes', '\x1b[?1;2c'],
  ['secondary device attributes', '\x1b[>0;276;0c'],
  ['the cursor position', '\x1b[12;40R'],
  ['the extended cursor position', '\x1b[?12;40;1R'],
  ['the status', '\x1b[0n'],
  ['a mode', '\x1b[?2026;2$y'],
  ['the size of the window', '\x1b[8;24;80t'],
  ['the focus', '\x1b[I'],
  ['the mouse', '\x1b[<0;10;12M'],
  ['the mouse of old', '\x1b[M !!'],
  ['a colour', '\x1b]11;rgb:ffff/ffff/ffff\x1b\\'],
  ['a setting', '\x1bP1$r0m\x1b\\'],
])('%s is for the shell that asked alone', (_, data) => {
  expect(isReport(data)).toBe(true)
})

it.each([
  ['text', 'ls -l'],
  ['a letter', 'c'],
  ['Enter', '\r'],
  ['Escape', '\x1b'],
  ['Alt+C', '\x1bc'],
  ['Alt+P', '\x1bP'],
  ['Ctrl+C', '\x03'],
  ['an arrow', '\x1b[A'],
  ['an arrow with Ctrl', '\x1b[1;5C'],
  ['F1', '\x1bOP'],
  ['F5', '\x1b[15~'],
  ['Shift+Tab', '\x1b[Z'],
  ['several lines', 'a\x1b[15~\nb'],
])('%s is typed', (_, data) => {
  expect(isReport(data)).toBe(false)
})

it('gives each program cursor keys in the form that it asked for', () => {
  expect(keyFor('\x1b[A', true)).toBe('\x1bOA')
  expect(keyFor('\x1bOH', false)).toBe('\x1b[H')
  expect(keyFor('\x1bOP', false)).toBe('\x1bOP')
  expect(keyFor('A', true)).toBe('A')
})
