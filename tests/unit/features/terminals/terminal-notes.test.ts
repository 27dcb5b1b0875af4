import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNotes } from '../../../../src-renderer/features/terminals/terminal-notes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is said in passing goes by itself; said again, it stands as long as the first time', () => {
  const { note, tell } = createNotes()
  tell('copied')
  vi.advanceTimersByTime(1_500)
  tell('copied')
  vi.advanceTimersByTime(1_500)
  expect(note.value).toBe('copied')
  vi.advanceTimersByTime(500)
  expect(note.value).toBeNull()
})

test('what is to stay is not taken away with what was said in passing before it, though it says the same', () => {
  const { note, show, tell } = createNotes()
  tell('no paste here')
  show('no paste here')
  vi.advanceTimersByTime(60_000)
  expect(note.value).toBe('no paste here')
  show(null)
  expect(note.value).toBeNull()
})
