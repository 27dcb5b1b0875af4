import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deadExports, type Scripts } from '../../support/source-exports.ts'
import { scriptOf, sourceFiles } from '../../support/source-files.ts'

const top = join(import.meta.dirname, '../../..')

const scriptsOf = (pattern: string): Scripts =>
  new Map(
    globSync(pattern, { cwd: top }).map((file) => [
      file.replaceAll(sep, '/'),
      readFileSync(join(top, file), 'utf8'),
    ]),
  )

test('main and window export nothing that is of no use, or of use to tests only', () => {
  const sources = new Map(sourceFiles().map((file) => [file, scriptOf(file)]))
  const others = scriptsOf('{tools/**/,}*.{ts,js,mjs}')
  const tests = scriptsOf('tests/**/*.{ts,mjs}')
  // Either nothing needs it, or nothing needs its `export`. What only tests need belongs in tests/support/.
  expect(deadExports(sources, { others, tests })).toEqual([])
})

describe('a planted export', () => {
  const scripts = (byFile: Readonly<Record<string, string>>): Scripts => new Map(Object.entries(byFile))
  const dead = (sources: Readonly<Record<string, string>>, tests: Readonly<Record<string, string>> = {}) =>
    deadExports(scripts(sources), { others: scripts({}), tests: scripts(tests) })
  const value = 'export const a = 1\n'
  const usedHere = `${value}const b = a\n`
  const type = 'export interface A {}\n'
  const byTest = { 'tests/a.test.ts': `import { a, type A } from '../src-main/domain/a.ts'` }

  test.each([
    ['that nothing uses', value, {}],
    ['that only a test uses', value, byTest],
    ['that only its own file uses', usedHere, {}],
    ['of a type that nothing uses', type, {}],
    ['of a type that only a test uses', type, byTest],
    ['of a function', 'export async function a() {}\n', {}],
    ['of a class', 'export abstract class a {}\n', {}],
  ])('%s is told', (_, script, tests) => {
    expect(dead({ 'src-main/domain/a.ts': script }, tests)).toEqual([
      expect.stringMatching(/^src-main\/domain\/a\.ts [aA]$/),
    ])
  })

  test.each([
    ['is imported', `import { a } from '../domain/a.ts'`],
    ['is imported as a type', `import type { b, a } from '../domain/a.ts'`],
    ['is imported under another name', `import one, {\n  type a as mine,\n} from '../domain/a.ts'`],
    ['is imported by alias', `import { a } from '#domain/a.ts'`],
    ['is passed on', `export { a } from '../domain/a.ts'`],
    ['is passed on with all', `export * from '../domain/a.ts'`],
    ['is imported with all', `import * as all from '../domain/a.ts'`],
    ['is imported when needed', `const all = () => import('../domain/a.ts')`],
  ])('that %s is in use', (_, script) => {
    expect(dead({ 'src-main/domain/a.ts': value, 'src-main/app/b.ts': script })).toEqual([])
  })

  test.each([
    ['a test of a value', usedHere, byTest],
    ['the name of a type', `${type}const a: A = {}\n`, byTest],
  ])('for %s that its own file uses is none', (_, script, tests) => {
    expect(dead({ 'src-main/domain/a.ts': script }, tests)).toEqual([])
  })

  test('of the same name as what another file exports is told', () => {
    const product = { 'src-main/domain/a.ts': value, 'src-main/domain/b.ts': value }
    const user = { 'src-main/app/c.ts': `import { a } from '../domain/b.ts'` }
    expect(dead({ ...product, ...user })).toEqual(['src-main/domain/a.ts a'])
  })
})
