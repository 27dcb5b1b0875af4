import { expect, it } from 'vitest'
import { pasteText } from '../../../../src-renderer/features/terminals/paste-text.ts'

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
  expect(pasteText(text, runsLines)).toEqual({ title, description })
})
