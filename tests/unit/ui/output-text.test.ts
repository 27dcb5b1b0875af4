import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from '../../../src-renderer/ui/output-text.ts'

test.each([
  ['\u001b[1;31mred\u001b[0m plain', 'red plain'],
  ['\u001b]0;a title\u0007text', 'text'],
  ['\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['one\r\ntwo\r\n', 'one\ntwo\n'],
  ['10%\r50%\r100%\nnext', '100%\nnext'],
  ['done\r\nmore', 'done\nmore'],
  ['tab\tstays, bell\u0007 does not', 'tab\tstays, bell\uFFFD does not'],
])('%j is shown as %j', (written, shown) => {
  expect(plainText(written)).toBe(shown)
})

test('security: whatever is written, no control character but tab and line break is shown', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      '\u001b',
      '[',
      ']',
      'P',
      '\u0007',
      '\\',
      '\r',
      '\n',
      '\u009b',
      '\u0000',
      'a',
      '1',
      ';',
      'm',
    ),
    maxLength: 60,
  })
  fc.assert(
    fc.property(hostile, (written) => {
      expect(plainText(written)).not.toMatch(/(?![\n\t])\p{Cc}/u)
    }),
  )
})
