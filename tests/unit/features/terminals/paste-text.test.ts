import { expect, it } from 'vitest'
import { pasteText } from '../../../../src-renderer/features/terminals/paste-text.ts'

it.each([
  ['ls\n', true, 'Paste a whole line', 'Each line runs as soon as it is pasted.'],
  ['a\nb\nc', true, 'Paste 3 lines', 'Each line runs as soon as it is pasted.'],
  ['a\nb', false, 'Paste 2 lines', 'The program takes them as text; they run when you press Enter.'],
  [
    'ls \u001b[201~',
    true,
    'Paste text with control characters',
    '1 control character that is not to be seen in it will be left out.',
  ],
  [
    'a\u0003\nb\u0003',
    true,
    'Paste 2 lines',
    'Each line runs as soon as it is pasted. 2 control characters that are not to be seen in it will be left out.',
  ],
])('%j into a program that runs lines: %s', (text, runsLines, title, description) => {
  expect(pasteText(text, runsLines)).toEqual({ title, description })
})
