import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { top } from '../docs/pages.ts'
import { exceptions } from './forbidden-words.ts'
import { forbiddenIn } from './forbidden-in.ts'
import { shownFiles } from './shown-files.ts'

const found = shownFiles.flatMap((file) => forbiddenIn(file, readFileSync(join(top, file), 'utf8')))
const exceptionOf = (file: string, word: string): string => `${file} “${word.toLowerCase()}”`

test('no text that a user meets has a forbidden word: say what the message proposes', () => {
  expect(shownFiles.length).toBeGreaterThan(900)
  const allowed = new Set(exceptions.map(({ file, word }) => exceptionOf(file, word)))
  const complaints = found
    .filter(({ file, word }) => !allowed.has(exceptionOf(file, word)))
    .map(({ file, line, word, say }) => `${file}:${line} says “${word}”. Say ${say}.`)
  expect(complaints).toEqual([])
})

test('each exception is still needed', () => {
  const used = new Set(found.map(({ file, word }) => exceptionOf(file, word)))
  expect(exceptions.filter(({ file, word }) => !used.has(exceptionOf(file, word)))).toEqual([])
})

const planted = 'src-renderer/ui/Planted'
const wordsIn = (file: string, source: string): readonly string[] =>
  forbiddenIn(file, source).map(({ line, word }) => `${line} ${word}`)

test.each([
  ['between tags', '<p>\n  Your second\n  factor\n</p>', ['2 second factor']],
  ['an attribute', '<UButton\n  label="Log in as admin"\n/>', ['2 Log in as admin']],
  ['a bound attribute', `<p :title="isOld ? 'Of the old kind' : name">{{ name }}</p>`, ['1 Of the old kind']],
  ['an expression', '<p>{{ `Set ${name}\n up anew` }}</p>', ['2 anew']],
])('finds one in a template: %s', (_place, markup, expected) => {
  const template = `<template><div>${markup}</div></template>`
  expect(wordsIn(`${planted}.vue`, template)).toEqual(expected)
})

test('finds one in a component’s script, by its line in the file', () => {
  const source = `<template><p /></template>\n<script setup lang="ts">\nconst text = 'An e-mail'\n</script>`
  expect(wordsIn(`${planted}.vue`, source)).toEqual(['3 e-mail'])
})

test('finds one in a text module, in pages, and across lines', () => {
  expect(wordsIn(`${planted}-text.ts`, "const text = {\n  a: 'It can’t, it cannot.',\n}")).toEqual([
    '2 cannot',
  ])
  expect(wordsIn('docs/planted.md', '```\nanew\n```\n\nStarted\nanew, it does\nnot.')).toEqual([
    '6 anew',
    '6 does not',
  ])
})

test('finds one in what native dialogs and menus say, given as an argument', () => {
  const source = "dialog.showErrorBox('Slipway cannot start', text)"
  expect(wordsIn('src-main/index.ts', source)).toEqual(['1 cannot'])
  expect(wordsIn('src-main/desktop/menu.ts', "item('It is not there')")).toEqual(['1 is not'])
})

test.each([
  ['.vue', '<template><!-- anew --><p id="guard" class="guard anew">{{ guard }}</p></template>'],
  [
    '.ts',
    "// anew\nimport { guard } from './guard.ts'\ntype Kind = 'Guard here'\nconst of = { 'A guard': 'guard' }",
  ],
  ['.ts', "const address = `/instances/${id}#guards`, path = '/tmp/guards/a b'"],
  ['.md', 'Run `guard anew`, see [rules](rules.md#guard) <a href="guard">.'],
])('leaves code alone in %s: %s', (ending, source) => {
  expect(wordsIn(`${planted}${ending}`, source)).toEqual([])
})
