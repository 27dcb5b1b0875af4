import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { PlainLines } from '#services/storage/line-log/plain-lines.ts'

const encoder = new TextEncoder()

function linesOf(...pieces: readonly (string | Uint8Array)[]): readonly string[] {
  const plain = new PlainLines()
  const lines = pieces.flatMap((piece) =>
    plain.push(typeof piece === 'string' ? encoder.encode(piece) : piece),
  )
  return [...lines, ...plain.end()]
}

it.each<readonly [string, string, readonly string[]]>([
  ['lines', 'one\r\ntwo\nthree', ['one', 'two', 'three']],
  ['empty lines', '\r\n\r\n', ['', '']],
  ['colors', '\x1b[1;32mgreen\x1b[0m \x1b[38;2;1;2;3mmore\x1b[m\n', ['green more']],
  ['a title, by bell and by ST', '\x1b]0;title\x07a\x1b]2;other\x1b\\b\n', ['ab']],
  ['a link', '\x1b]8;;https://example.com\x1b\\text\x1b]8;;\x1b\\\n', ['text']],
  ['a device control string, with a bell in it', '\x1bPq#0;1\x07~~\x1b\\after\n', ['after']],
  ['a character set, and keypad modes', '\x1b(Bplain\x1b=\x1b>\x1b%G\n', ['plain']],
  ['controls of C1', '\u009b31mred\u009b0m\u009d0;title\u009c!\u0090x\u009c\n', ['red!']],
  ['a progress bar', ' 10%\r 50%\r100%\r\n', ['100%']],
  ['a progress bar by CSI G', ' 10%\x1b[1G 50%\x1b[0K\x1b[G100%\n', ['100%']],
  ['backspaces', 'lss\b \b -l\n', ['ls -l']],
  ['a backspace over two units', 'a👍\bb\n', ['ab']],
  ['a tab, a bell, and NUL', 'a\tb\x07\0c\n', ['a\tbc']],
  ['a newline within a sequence', 'a\x1b[3\n1mb\n', ['a', 'b']],
  ['a sequence that is given up', 'a\x1b[31\x18b\x1b]0;t\x1ac\n', ['abc']],
  ['a sequence that begins anew', 'a\x1b[3\x1b[1mb\x1b\x1b]0;t\x07c\n', ['abc']],
  ['letters where a sequence was', 'a\x1b[é\x1béb\n', ['aééb']],
  ['a string without end', 'a\nb\x1b]0;never\nended\n', ['a', 'b']],
  ['a byte order mark, which is text', '\ufeffa\n', ['\ufeffa']],
])('%s: %j', (_, text, lines) => {
  expect(linesOf(text)).toEqual(lines)
})

test.each([
  ['bash', '$ echo 0123456789abc \rdefghijklmnopqrstuvw \rxyz\r\n'],
  ['bash, from several keys at once', '$ echo 0123456789abcd\rdefghijklmnopqrstuvwx\rxyz\r\n'],
  ['zsh', '$ e\becho 0123456789abc \r\x1b[Kd\rdefghijklmnopqrstuvw \r\x1b[Kx\rxyz\r\r\n'],
])('a line that %s wraps at the last column is one line', (_, typed) => {
  const plain = new PlainLines(() => 20)
  expect(plain.push(encoder.encode(`one\r\n${typed}`))).toEqual([
    'one',
    '$ echo 0123456789abcdefghijklmnopqrstuvwxyz',
  ])
})

test('a row with characters of other widths is one that may be wrapped, so that a secret stays whole', () => {
  const typed = '🐍日 $ echo hunter2- \rhunter2-hunter2-huhu \r!\r\n'
  expect(new PlainLines(() => 20).push(encoder.encode(`one\r\n${typed}`))).toEqual([
    'one',
    '🐍日 $ echo hunter2-hunter2-hunter2-huhu!',
  ])
})

test('a space before CR elsewhere is none that wraps', () => {
  const progress = (columns: number) =>
    new PlainLines(() => columns).push(encoder.encode('\n10% \r20% \rdone\n'))
  for (const columns of [2, 4, 20]) expect(progress(columns), String(columns)).toEqual(['', 'done'])
})

test('where the beginning of a row isn’t here, it may be wrapped anywhere', () => {
  const plain = new PlainLines(() => 20)
  const typed = encoder.encode('echo hunter2 \r-hunter2 and so on 1 \r2\n')
  expect(plain.push(typed)).toEqual(['echo hunter2-hunter2 and so on 12'])
  plain.push(encoder.encode('prompt'))
  expect(plain.end()).toEqual(['prompt'])
  expect(plain.push(typed)).toEqual(['echo hunter2-hunter2 and so on 12'])
  expect(plain.push(encoder.encode('10% \r20%\n'))).toEqual(['20%'])
})

test('a wrapped line that is too long is cut as any other, and goes on', () => {
  const row = 'x'.repeat(80)
  const lines = new PlainLines(() => 80).push(encoder.encode(`${`${row} \r`.repeat(150)}end\n`))
  expect(lines.join('')).toBe(`${row.repeat(150)}end`)
  expect(lines).toHaveLength(2)
})

test('bytes that are not UTF-8 become the replacement character', () => {
  expect(linesOf(Uint8Array.of(0x61, 0xff, 0xc3, 0x0a))).toEqual(['a\ufffd\ufffd'])
})

test('a line that is too long becomes several, at a space near the end, and never within a character', () => {
  expect(linesOf('x'.repeat(20_000)).map(({ length }) => length)).toEqual([8_192, 8_192, 3_616])
  expect(linesOf('word '.repeat(2_000)).every((line) => line.endsWith('word '))).toBe(true)
  expect(linesOf(`x${'👍'.repeat(5_000)}`).every((line) => line.isWellFormed())).toBe(true)
})

/** What decides about states, among text. */
const token = fc.constantFrom(
  ...['\x1b', '[', ']', 'P', '(', 'm', 'G', '1', ';', '\\', '\x07', '\x18', '\x9c', '\x9b', '\x9d', '\x90'],
  ...['\n', '\r', '\b', '\t', ' ', 'a', 'é', '👍', 'word word'],
)
const stream = fc.array(token, { maxLength: 80 }).map((tokens) => tokens.join(''))

test('however the bytes are split, the lines are the same', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(200)), (text, cuts) => {
      const bytes = encoder.encode(text)
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].toSorted(
        (a, b) => a - b,
      )
      const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end))
      expect(linesOf(...pieces)).toEqual(linesOf(bytes))
    }),
  )
})

test('nothing that a terminal acts on is left in a line', () => {
  fc.assert(
    fc.property(fc.oneof(stream, fc.uint8Array({ maxLength: 300 })), (sent) => {
      for (const line of linesOf(sent)) expect(line.replaceAll('\t', '')).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test('text without controls stays as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 100 })), (texts) => {
      const lines = texts.map((text) => text.replaceAll(/\p{Cc}/gu, ''))
      expect(linesOf(lines.map((line) => `${line}\r\n`).join(''))).toEqual(lines)
    }),
  )
})
