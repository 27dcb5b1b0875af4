import { expect, test } from 'vitest'
import { expressionsIn, regularExpressions } from '../support/regular-expressions.ts'
import { growthOf, mostGrowth, slowTexts } from '../support/slow-text.ts'

/** Put together at run time, so that they cannot be timed here. What they are made of, and why nobody can make them slow. */
const made: Readonly<Record<string, string>> = {
  'src-main/services/diagnostics/anonymous-text.ts': 'a host’s name, escaped: no part of it repeats',
  'src-renderer/features/terminals/screen/find-count.ts': 'what the user looks for; it is only compiled',
}

const worstOf = (expression: RegExp): { readonly growth: number; readonly text: string } => {
  for (const text of slowTexts(expression)) {
    const growth = growthOf(expression, text)
    if (growth > mostGrowth) return { growth, text: text(40) }
  }
  return { growth: 1, text: '' }
}

test('no regular expression takes much more than ten times as long for ten times as much text', () => {
  const all = new Map(regularExpressions().map((found) => [found.text, found]))
  expect(all.size).toBeGreaterThan(100)
  const slow = [...all.values()].flatMap(({ file, expression, text }) => {
    if (expression === null) return []
    const worst = worstOf(expression)
    return worst.text === ''
      ? []
      : [`${file}: ${text} grew ${Math.round(worst.growth)}-fold on ${JSON.stringify(worst.text)}`]
  })
  // Bound what repeats ({0,64} in place of *), let a run begin only where no other of its kind does ((?<!x)x+$), or
  // look at the text without an expression.
  expect(slow).toEqual([])
})

test('what is put together at run time is known, with what it is made of', () => {
  const files = regularExpressions()
    .filter(({ expression }) => expression === null)
    .map(({ file }) => file)
  expect(files.toSorted()).toEqual(Object.keys(made).toSorted())
})

test.each([
  String.raw`/(\w+\s?)*$/`,
  String.raw`/\/+$/`,
  String.raw`/\w*(?:secret|token)\w*\s*=/gi`,
  String.raw`/^\s*#.*$/gm`,
  String.raw`/a[^]*?b[^]*?c/`,
])('one that is slow is found: %s', { timeout: 300_000 }, (text) => {
  const [found] = expressionsIn('planted.ts', `const planted = ${text}`)
  if (!found?.expression) throw new Error('It was not found')
  expect(worstOf(found.expression).growth).toBeGreaterThan(mostGrowth)
})
