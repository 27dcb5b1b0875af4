import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf, top } from './pages.ts'

const [, example = ''] = /^## A worked example\n([^]*?)\n## /m.exec(textOf('CONTRIBUTING.md')) ?? []

/** The changes of the example in their order: which lines stand together in a file, and what they become. */
const changes = [...example.matchAll(/^```diff\n([^]*?)^```$/gm)]
  .flatMap(([, diff = '']) => diff.split(/^\+\+\+ /m).slice(1))
  .flatMap((file) => {
    const [path = '', ...rest] = file.split('\n')
    return rest
      .join('\n')
      .split(/^@@\n/m)
      .map((hunk) => ({ path, before: sideOf(hunk, '-'), after: sideOf(hunk, '+') }))
  })

function sideOf(hunk: string, sign: '-' | '+'): string {
  const lines = hunk.trimEnd().split('\n')
  return lines
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
    .map((line) => `${line.slice(1)}\n`)
    .join('')
}

test('the worked example applies to the code as it is, a commit after the other', () => {
  expect(changes.length).toBeGreaterThan(4)
  const texts = new Map<string, string>()
  for (const { path, before, after } of changes) {
    const text = texts.get(path) ?? textOf(path)
    expect(text.split(before), `${path} has this once:\n${before}`).toHaveLength(2)
    texts.set(
      path,
      text.replace(before, () => after),
    )
  }
})

test('what the worked example makes isn’t there yet', () => {
  const [, made = ''] = /^\/\/ (\S+\.test\.ts)$/m.exec(example) ?? []
  expect(made).not.toBe('')
  expect(existsSync(join(top, made))).toBe(false)
})
