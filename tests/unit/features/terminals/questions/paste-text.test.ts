import { expect, it } from 'vitest'
import { pasteText } from '../../../../../src-renderer/features/terminals/questions/paste-text.ts'

it.each([
  ['ls\n', true, 'Paste 1 line', 'Each line runs as soon as it’s pasted.'],
  ['a\nb\nc', true, 'Paste 3 lines', 'Each line runs as soon as it’s pasted.'],
  ['a\nb', false, 'Paste 2 lines', 'The program receives the lines as text. They run when you press Enter.'],
  [
    'ls \u001b[201~',
    true,
    'Paste text with control characters',
    '1 invisible control character will be removed.',
  ],
  [
    'a\u0003\nb\u0003',
    true,
    'Paste 2 lines',
    'Each line runs as soon as it’s pasted. 2 invisible control characters will be removed.',
  ],
])('%j into a program that runs lines: %s', (text, runsLines, title, description) => {
  expect(pasteText(text, { runsLines, thenRuns: false })).toEqual({ title, description })
})

it('says that the lines run when Enter is pressed after them', () => {
  expect(pasteText('a\nb', { runsLines: false, thenRuns: true }).description).toBe(
    'The program receives the lines as text. Then they run.',
  )
  expect(pasteText('a\nb', { runsLines: true, thenRuns: true }).description).toBe(
    'Each line runs as soon as it’s pasted.',
  )
})
