import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressUse,
  cleanPaste,
  cleanTitle,
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
    ['http://localhost:8888/lab', { kind: 'ask', href: 'http://localhost:8888/lab' }],
    ['javascript:alert(1)', { kind: 'none' }],
    ['file:///etc/passwd', { kind: 'none' }],
    ['https://bank.example@evil.example/', { kind: 'none' }],
    ['http://user:password@evil.example/', { kind: 'none' }],
    ['not an address', { kind: 'none' }],
  ])('%s: %j', (address, use) => {
    expect(addressUse(address)).toEqual(use)
  })
})
