import { expect, it } from 'vitest'
import { shortcutWords } from '../../../../src-renderer/features/terminals/shortcuts.ts'
import { terminalCommand } from '../../../../src-renderer/features/terminals/screen/terminal-keys.ts'

it('says each shortcut as the keys of the platform are called', () => {
  expect(shortcutWords(false).text('duplicate')).toBe('Ctrl+Shift+D')
  expect(shortcutWords(true).text('duplicate')).toBe('⌘D')
  expect(shortcutWords(false).of('move-to-next-group')).toEqual(['Ctrl', 'Shift', 'G'])
  expect(shortcutWords(true).of('move-to-next-group')).toEqual(['⌘', 'G'])
})

it('says the keys that the terminal takes', () => {
  const [, , letter = ''] = shortcutWords(false).of('split-row')
  const held = { code: '', ctrlKey: true, shiftKey: true, altKey: false, metaKey: false }
  expect(terminalCommand({ ...held, key: letter }, false)).toBe('split-row')
})
