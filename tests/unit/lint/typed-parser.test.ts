import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { typedParser, vueParser } from '../../../tools/lint/typed-parser.js'

const component = (text: string): string =>
  `<script setup lang="ts">\nimport { told } from './told.ts'\n${text}\n</script>\n\n<template><p>{{ told }}</p></template>\n`
const config = `{ "compilerOptions": { "lib": ["ES5"], "types": [], "noEmit": true }, "include": ["**/*.ts", "**/*.vue"] }`
const files: Readonly<Record<string, string>> = {
  'src-main/tsconfig.json': config.replace('"include"', '"exclude": ["contract"], "include"'),
  'src-main/main.ts': 'export const main = 1\n',
  'src-main/contract/tsconfig.json': config,
  'src-main/contract/contract.ts': 'export const contract = 1\n',
  'tests/tsconfig.json': config,
  'tests/test.ts': 'export const test = 1\n',
  'src-renderer/tsconfig.json': config,
  'src-renderer/told.ts': 'export const told = 1\n',
  'src-renderer/A.vue': component('const a = told'),
  'src-renderer/B.vue': component('const b = told'),
  'src-renderer/Broken.vue': component('const = told'),
}

const top = mkdtempSync(join(tmpdir(), 'slipway-parser-'))
afterAll(() => rmSync(top, { recursive: true }))
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(top, path)), { recursive: true })
  writeFileSync(join(top, path), text)
}

/** What gives files their program, as ESLint asks for it. */
function programsOf(isSingleRun: boolean): (path: string, text?: string) => object {
  const parser = typedParser(top, isSingleRun)
  return (path, text = files[path] ?? '') => {
    const options = { filePath: join(top, path), tsconfigRootDir: top, sourceType: 'module' }
    const typed = { ...options, projectService: true, extraFileExtensions: ['.vue'], parser }
    const { parseForESLint } = path.endsWith('.vue') ? vueParser : parser
    return parseForESLint(text, typed).services.program
  }
}

test('in a single run all files of a part have one program', () => {
  const programOf = programsOf(true)
  const window = programOf('src-renderer/A.vue')
  expect(programOf('src-renderer/B.vue')).toBe(window)
  expect(programOf('src-renderer/told.ts')).toBe(window)
  expect(programOf('src-main/main.ts')).not.toBe(window)
})

test('a file with another text than on the disk has a program of its own', () => {
  const programOf = programsOf(true)
  const window = programOf('src-renderer/A.vue')
  expect(programOf('src-renderer/A.vue', component('const c = told'))).not.toBe(window)
  expect(programOf('src-renderer/B.vue')).toBe(window)
})

test('in an editor a file’s program is always of the text that is there now', () => {
  const programOf = programsOf(false)
  const before = programOf('src-renderer/told.ts')
  expect(programOf('src-renderer/told.ts', 'export const told = 2\n')).not.toBe(before)
})

test('a file that cannot be read is told of by itself, and holds up no other one', () => {
  const programOf = programsOf(true)
  expect(programOf('src-renderer/A.vue')).toBe(programOf('src-renderer/told.ts'))
  expect(() => programOf('src-renderer/Broken.vue')).toThrow(/declaration expected/)
})
