import { expect, test } from 'vitest'
import { partLength, readmeParts } from '../../../../../src-renderer/features/templates/page/readme-parts.ts'
import { markdownHtml } from '../../../../../src-renderer/features/templates/page/safe-markdown.ts'

test('headings, lists, code and tables are what they say', () => {
  const html = markdownHtml('# Title\n\n- one\n- `two`\n\n| a | b |\n| - | - |\n| 1 | 2 |\n') ?? ''
  for (const part of ['<h1>Title</h1>', '<li>one</li>', '<code>two</code>', '<td>1</td>'])
    expect(html).toContain(part)
})

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['an element with a handler', '<img src=x onerror=alert(1)>'],
  ['a frame', '<iframe src="https://example.com"></iframe>'],
  ['a form', '<form action="https://example.com"><input name=q></form>'],
  ['a style', '<style>@import url(https://example.com/x.css);</style>'],
  ['a remote picture', '![alt](https://example.com/pixel.png)'],
  ['a picture by reference', '![alt][p]\n\n[p]: https://example.com/pixel.png'],
  ['a picture in a link', '[![alt](https://example.com/a.png)](https://example.com)'],
  ['a javascript: link', '[go](javascript:alert(1))'],
  [
    'a link that hides it',
    '[go](java\tscript:alert(1)) [go](&#106;avascript:alert(1)) <javascript:alert(1)>',
  ],
  ['other schemes', '[go](file:///etc/passwd) [go](vscode://x) [go](data:text/html,<b>) [go](//example.com)'],
])('%s becomes text', (_, text) => {
  const html = markdownHtml(text) ?? ''
  expect(html).not.toMatch(/<(script|img|iframe|form|input|style|link|object|svg)\b/i)
  expect(html).not.toMatch(/<[^>]*\s(href|src|style|on\w+)=/i)
  expect(html).not.toMatch(/data-link="(?!https?:)/)
})

test('a link keeps its address beside it, spelt out', () => {
  expect(markdownHtml('[docs](HTTPS://Example.com/a"b)')).toContain(
    '<a data-link="https://example.com/a%22b">docs</a>',
  )
  expect(markdownHtml('[a](https://name:secret@example.com) and [b](https://example.com/)')).toBe(
    '<p><span>a</span> and <a data-link="https://example.com/">b</a></p>\n',
  )
})

test('marks that turn the reading order around are shown', () => {
  expect(markdownHtml('a\u202eb')).toContain('a�b')
})

test('what is made of too many elements is left to be shown as text', () => {
  expect(markdownHtml('* x\n'.repeat(5000))).toBeNull()
})

test.each([
  ['brackets', '['],
  ['open links', '[a]('],
  ['quotes', '>'],
  ['stars', '*a **b '],
  ['backticks', '`a``b'],
  ['ampersands', '&a'],
  ['angles', '<a <'],
  ['tables', '|-'],
  ['references', '[a]: b\n'],
  ['lists', '- '],
])('a part full of %s is read in a moment', (_, piece) => {
  const text = piece.repeat(Math.ceil(partLength / piece.length)).slice(0, partLength)
  markdownHtml('warm')
  const before = performance.now()
  markdownHtml(text)
  // Generous: the machine may be busy. What grows with the square of the length takes far longer.
  expect(performance.now() - before).toBeLessThan(6_000)
})

test('parts are whole paragraphs, and nothing is lost', () => {
  const paragraph = `${'words '.repeat(100)}\n\n`
  const text = paragraph.repeat(200)
  const parts = [...readmeParts(text)]
  expect(parts.join('')).toBe(text)
  expect(parts.every((part) => part.endsWith('\n\n'))).toBe(true)
  const odd = '😀'.repeat(partLength)
  expect([...readmeParts(odd)].join('')).toBe(odd)
  expect([...readmeParts(odd)].every((part) => part.isWellFormed())).toBe(true)
  expect([...readmeParts('')]).toEqual([])
})
