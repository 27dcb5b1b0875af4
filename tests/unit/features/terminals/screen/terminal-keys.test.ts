import { expect, it } from 'vitest'
import { terminalCommand } from '../../../../../src-renderer/features/terminals/screen/terminal-keys.ts'

const key = (held: string, name: string, code = `Key${name.toUpperCase()}`) => ({
  key: name,
  code,
  ctrlKey: held.includes('Ctrl'),
  shiftKey: held.includes('Shift'),
  altKey: held.includes('Alt'),
  metaKey: held.includes('Meta'),
})

it.each([
  ['Ctrl Shift', 'C', 'copy'],
  ['Ctrl Shift', 'V', 'paste'],
  ['Ctrl Shift', 'F', 'find'],
  ['Ctrl Shift', 'D', 'duplicate'],
  ['Ctrl Shift', 'T', 'reopen'],
  ['Ctrl Shift', 'E', 'split-row'],
  ['Ctrl Shift', 'O', 'split-column'],
  ['Ctrl Shift', 'N', 'next-group'],
  ['Ctrl Shift', 'G', 'move-to-next-group'],
  ['Ctrl Shift', 'S', 'insert-snippet'],
  ['Ctrl Shift', 'W', 'close'],
  ['Ctrl Shift', 'Tab', 'leave'],
])('keeps %s %s for itself', (held, name, command) => {
  expect(terminalCommand(key(held, name), false)).toBe(command)
})

it.each([
  ['Ctrl', 'c'],
  ['Ctrl', 'v'],
  ['Ctrl', 'w'],
  ['Ctrl', 'd'],
  ['Shift', 'C'],
  ['', 'Tab'],
  ['Shift', 'Tab'],
  ['Ctrl', 'Tab'],
  ['Ctrl Alt Shift', 'C'],
  ['Alt', '1'],
  ['', 'F6'],
  ['Ctrl Shift', 'A'],
])('leaves %s %s to the shell', (held, name) => {
  expect(terminalCommand(key(held, name), false)).toBeNull()
})

it('goes by the place of the key where the layout writes another script', () => {
  expect(terminalCommand(key('Ctrl Shift', 'С', 'KeyC'), false)).toBe('copy')
})

it('goes by what is written on the key where the layout moves the letters', () => {
  // Dvorak: J is where a QWERTY keyboard has C.
  expect(terminalCommand(key('Ctrl Shift', 'J', 'KeyC'), false)).toBeNull()
})

it('uses the Command key on a Mac, and leaves Ctrl to the shell', () => {
  expect(terminalCommand(key('Meta', 'c'), true)).toBe('copy')
  expect(terminalCommand(key('Ctrl', 'c'), true)).toBeNull()
})
