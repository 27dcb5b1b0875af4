import { describe, expect, test } from 'vitest'
import { workbenchCommand, type KeyPlace } from '../../../src-renderer/workbench/workbench-keys.ts'

function press(keys: string, place: KeyPlace, mac = false) {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  return workbenchCommand(
    {
      key,
      code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : '',
      ctrlKey: parts.includes('Ctrl'),
      shiftKey: parts.includes('Shift'),
      altKey: parts.includes('Alt'),
      metaKey: parts.includes('Meta'),
    },
    place,
    mac,
  )
}

describe('keys of the frame', () => {
  test('the palette opens from every page and field', () => {
    expect(press('Ctrl+k', 'page')).toBe('palette')
    expect(press('Ctrl+k', 'field')).toBe('palette')
    expect(press('Meta+k', 'field', true)).toBe('palette')
  })

  test('a shell keeps its Ctrl+K; the palette opens over a terminal with Shift, or with a Mac’s own key', () => {
    expect(press('Ctrl+k', 'terminal')).toBeNull()
    expect(press('Ctrl+k', 'terminal', true)).toBeNull()
    expect(press('Ctrl+Shift+K', 'terminal')).toBe('palette')
    expect(press('Meta+k', 'terminal', true)).toBe('palette')
  })

  test('a layout that writes another script has the palette on the same key', () => {
    const cyrillic = { key: 'л', code: 'KeyK', ctrlKey: true, shiftKey: false, altKey: false, metaKey: false }
    expect(workbenchCommand(cyrillic, 'page', false)).toBe('palette')
  })

  test('a question mark is text wherever text is typed', () => {
    expect(press('Shift+?', 'page')).toBe('shortcuts')
    expect(press('Shift+?', 'field')).toBeNull()
    expect(press('Shift+?', 'terminal')).toBeNull()
    expect(press('Ctrl+?', 'page')).toBeNull()
  })

  test('Alt and a digit lead to a page, but for a Mac’s fields, in which they type a character', () => {
    expect(press('Alt+5', 'page')).toBe('cloud')
    expect(press('Alt+5', 'field')).toBe('cloud')
    expect(press('Alt+5', 'page', true)).toBe('cloud')
    expect(press('Alt+5', 'field', true)).toBeNull()
  })

  test('nothing else is taken', () => {
    for (const place of ['page', 'field', 'terminal'] as const)
      for (const keys of ['k', 'Shift+K', 'Alt+k', 'Ctrl+Alt+k', 'Ctrl+c', 'Meta+k'])
        expect(press(keys, place)).toBeNull()
  })
})
