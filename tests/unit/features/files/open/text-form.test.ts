import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  indentOf,
  textFormOf,
  wholeText,
  withLineEnds,
} from '../../../../../src-renderer/features/files/open/text-form.ts'

test('what an editor doesn’t show is put back, whatever the text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('\r\n', '\n', '\r', '\uFEFF'))), (parts) => {
      const text = parts.join('')
      const { form, edited } = textFormOf(text)
      expect(wholeText(form, edited)).toBe(text)
      // As the editor cuts it into lines, and joins them.
      expect(edited.split(form.lineEnd).join(form.lineEnd)).toBe(edited)
    }),
  )
})

test.for([
  ['', '\n'],
  ['a\nb\n', '\n'],
  ['a\r\nb\r\n', '\r\n'],
  ['a\r\nb\n', '\n'],
  ['a\rb\r\n', '\n'],
] as const)('lines of %j end by %j', ([text, lineEnd]) => {
  expect(textFormOf(text).form.lineEnd).toBe(lineEnd)
})

test('what was cut down to one line gets the line ends of what is saved', () => {
  expect(textFormOf('a', 'a\r\nb\r\n').form.lineEnd).toBe('\r\n')
  expect(textFormOf('a\nb', 'a\r\nb\r\n').form.lineEnd).toBe('\n')
})

test('lines that are pasted end as the text’s own', () => {
  const { form } = textFormOf('a\r\nb')
  expect(withLineEnds('one\ntwo\rthree\r\nfour', form)).toBe('one\r\ntwo\r\nthree\r\nfour')
})

test.for([
  ['if a:\n\tb', '\t'],
  ['a:\n  b: 1', '  '],
  ['def f():\n    pass', '    '],
  ['x', '    '],
] as const)('lines of %j are indented by %j', ([text, indent]) => {
  expect(indentOf(text, true)).toBe(indent)
})
