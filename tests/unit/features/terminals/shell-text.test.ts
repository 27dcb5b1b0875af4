import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { webEntry } from '#domain/forwards/open-port.ts'
import {
  addressUse,
  cleanPaste,
  commandText,
  cleanTitle,
  commandEndOf,
  countControls,
  countLines,
  hasSeveralLines,
  needsQuestion,
  titleLength,
} from '../../../../src-renderer/features/terminals/shell-text.ts'

describe('a title from a shell', () => {
  it.each([
    ['root@c4f: ~', 'root@c4f: ~'],
    ['  many \t spaces ', 'many spaces'],
    ['日本語 – ünïcode 🚀', '日本語 – ünïcode 🚀'],
    ['two\r\nlines', 'two lines'],
    ['bell\u0007 and \u001b[31mred', 'bell and [31mred'],
    // Written right to left, this would read "exe.txt".
    ['invoice\u202etxt.exe', 'invoice txt.exe'],
    ['zero\u200bwidth', 'zero width'],
    ['lone \ud83d half', 'lone half'],
  ])('%j is shown as %j', (raw, shown) => {
    expect(cleanTitle(raw)).toBe(shown)
  })

  it('that holds nothing to be seen is none', () => {
    for (const raw of ['', ' \t', '\u202e\u200f', '\u0000']) expect(cleanTitle(raw)).toBeNull()
  })

  it('is cut to 80 characters as a reader counts them', () => {
    expect(cleanTitle('x'.repeat(titleLength))).toBe('x'.repeat(titleLength))
    expect(cleanTitle('x'.repeat(1_000_000))).toBe(`${'x'.repeat(titleLength - 1)}…`)
    expect(cleanTitle('👍🏽'.repeat(100))).toBe(`${'👍🏽'.repeat(titleLength - 1)}…`)
  })

  it('does not grow over its neighbours by stacked marks', () => {
    expect(cleanTitle(`a${'\u0301'.repeat(500)}b`)).toBe(`a${'\u0301'.repeat(3)}b`)
  })

  it('never holds control, bidirectional or lone surrogate characters, and stays as it is when cleaned again', () => {
    const anything = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\u202e', '\u2066', '\u0007', '\u001b', '\ud800', ' '),
        fc.string({ unit: 'binary', maxLength: 3 }),
      ),
      maxLength: 300,
    })
    fc.assert(
      fc.property(anything, (raw) => {
        const shown = cleanTitle(raw)
        if (shown === null) return
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        expect(shown.trim()).toBe(shown)
        expect([...new Intl.Segmenter().segment(shown)].length).toBeLessThanOrEqual(titleLength)
        expect(cleanTitle(shown)).toBe(shown)
      }),
    )
  })
})

describe('a paste', () => {
  it('cannot end its own brackets, and keeps text, tabs and lines', () => {
    expect(cleanPaste('a\u001b[201~; rm -rf /\r\n\tb\u0003é\u009b')).toBe('a[201~; rm -rf /\r\n\tbé')
  })

  it.each([
    ['ls', false, 1],
    ['ls\n', true, 1],
    ['a\nb', true, 2],
    ['a\r\nb\r\n', true, 2],
    ['a\rb', true, 2],
    ['\n\n', true, 2],
  ])('%j: several lines %s, counted %i', (text, several, lines) => {
    expect(hasSeveralLines(text)).toBe(several)
    expect(countLines(text)).toBe(lines)
  })

  it.each([
    ['ls -la', false, 0],
    ['tab\there', false, 0],
    ['ls\n', true, 0],
    ['ls\u001b[201~; rm', true, 1],
    ['a\u0003\u009b', true, 2],
  ])('%j is asked about: %s, for %i control characters', (text, asked, controls) => {
    expect(needsQuestion(text)).toBe(asked)
    expect(countControls(text)).toBe(controls)
  })
})

describe('an address on the screen', () => {
  it.each([
    ['https://example.com/a?b=c#d', { kind: 'open', href: 'https://example.com/a?b=c#d' }],
    ['http://example.com:8888/lab', { kind: 'ask', href: 'http://example.com:8888/lab' }],
    ['http://localhost:8888@evil.example/', { kind: 'none' }],
    ['http://localhost.evil.example/', { kind: 'ask', href: 'http://localhost.evil.example/' }],
    ['https://127.0.0.2:8443/', { kind: 'none' }],
    ['https://localhost.:8443/', { kind: 'none' }],
    ['http://[::ffff:127.0.0.1]:8000/', { kind: 'none' }],
    ['https://web-8.localhost:8443/', { kind: 'none' }],
    ['https://127.example.com/', { kind: 'open', href: 'https://127.example.com/' }],
    ['http://localhost:0/', { kind: 'none' }],
    ['http://localhost:99999/', { kind: 'none' }],
    ['http://localhost:-1/', { kind: 'none' }],
    ['javascript:alert(1)', { kind: 'none' }],
    ['file:///etc/passwd', { kind: 'none' }],
    ['https://bank.example@evil.example/', { kind: 'none' }],
    ['http://user:password@evil.example/', { kind: 'none' }],
    ['not an address', { kind: 'none' }],
  ])('%s: %j', (address, use) => {
    expect(addressUse(address)).toEqual(use)
  })

  it.each([
    ['http://localhost:8888/tree?token=a%20b#c', 8888, 'http', '/tree?token=a%20b#c'],
    ['http://127.0.0.1:6006', 6006, 'http', '/'],
    ['http://0.0.0.0:7860/a b', 7860, 'http', '/a%20b'],
    ['https://[::1]:8443/', 8443, 'https', '/'],
    ['http://[::]:8000/x', 8000, 'http', '/x'],
    ['http://localhost/', 80, 'http', '/'],
    ['https://LOCALHOST/ä', 443, 'https', '/%C3%A4'],
    ['http://2130706433:22/', 22, 'http', '/'],
  ])('%s is port %i of the instance, by %s from %s on', (address, port, scheme, entry) => {
    expect(addressUse(address)).toMatchObject({ kind: 'local', port, scheme, entry })
  })

  it('has what main takes as a place in a web server', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), fc.webFragments(), (path, query, fragment) => {
        const use = addressUse(`http://localhost:8000${path}?${query}#${fragment}`)
        if (use.kind !== 'local') return expect(use.kind).toBe('local')
        // Longer ones are refused with words.
        if (use.entry.length <= 2048) expect(webEntry.safeParse(use.entry).success).toBe(true)
      }),
    )
  })
})

it.each([
  ['D', null],
  ['D;0', 0],
  ['D;137', 137],
  ['D;0;aid=1', 0],
  ['D;err=x', null],
  ['D;256', null],
  ['D;99999999999', null],
])('the mark %j ends a command with %j', (mark, code) => {
  expect(commandEndOf(mark)).toEqual({ code })
})

it.each(['', 'A', 'B', 'C', 'DONE', 'P;D', ' D'])('the mark %j ends no command', (mark) => {
  expect(commandEndOf(mark)).toBeNull()
})

it('leaves Enter out of a saved command, and what is to be gone on with as it is', () => {
  expect(commandText('ls\r\n\n')).toBe('ls')
  expect(commandText('git commit -m ')).toBe('git commit -m ')
  expect(commandText('for x in a b; do\n  echo $x\ndone\n')).toBe('for x in a b; do\n  echo $x\ndone')
  expect(commandText('\n')).toBe('')
})
