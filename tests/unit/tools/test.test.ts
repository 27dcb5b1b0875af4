import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createProject } from './project.ts'

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules')
const removals: (() => void)[] = []

afterEach(() => {
  for (const remove of removals.splice(0)) remove()
})

/** A small project on this project's packages. */
function projectWith(files: Readonly<Record<string, string>>): ReturnType<typeof createProject> {
  const project = createProject({
    'package.json': '{ "type": "module" }',
    'vitest.config.js': `export default { test: { projects: ['unit', 'integration'].map((name) => (
      { test: { name, include: ['tests/' + name + '/*.test.js'] } })) } }`,
    'playwright.config.js': `export default { testDir: 'tests/e2e' }`,
    ...files,
  })
  symlinkSync(modules, join(project.folder, 'node_modules'))
  removals.push(project.remove)
  return project
}

const vitestFile = (...tests: readonly string[]): string =>
  [`import { expect, it } from 'vitest'`, ...tests].join('\n')
const playwrightFile = (...tests: readonly string[]): string =>
  [`import { expect, test } from '@playwright/test'`, ...tests].join('\n')

const lastLine = (output: string): string | undefined => output.trimEnd().split('\n').at(-1)

describe('npm test', () => {
  it('ends with the sum of all stages, and well when nothing failed', async () => {
    const project = projectWith({
      'tests/unit/a.test.js': vitestFile(
        `it('adds', () => expect(1 + 1).toBe(2))`,
        `it('is', () => expect(1).toBe(1))`,
      ),
      'tests/e2e/a.spec.js': playwrightFile(`test('works', () => { expect(1).toBe(1) })`),
    })
    const { code, output } = await project.run('test.mjs', ['unit', 'e2e'])
    expect(lastLine(output)).toBe('3 passed, 0 failed')
    expect(output).toMatch(/^unit +2 passed, 0 failed +\d+\.\d s$/m)
    expect(output).toMatch(/^e2e +1 passed, 0 failed +\d+\.\d s$/m)
    expect(code).toBe(0)
  })

  it('goes on after a failure, shows what failed and names what was skipped', async () => {
    const project = projectWith({
      'tests/unit/a.test.js': vitestFile(
        `it('adds', () => expect(1 + 1).toBe(3))`,
        `it('is', () => expect(1).toBe(1))`,
        `it.skip('waits for better days', () => {})`,
      ),
      'tests/e2e/a.spec.js': playwrightFile(
        `test('opens', () => { expect('shut').toBe('open') })`,
        `test.describe('later', () => { test.skip('closes', () => {}) })`,
      ),
    })
    const { code, output } = await project.run('test.mjs', ['unit', 'e2e'])
    expect(lastLine(output)).toBe('1 passed, 2 failed')
    expect(output).toContain('expected 2 to be 3')
    expect(output).toContain('Expected: "open"')
    expect(output).toContain('skipped: waits for better days')
    expect(output).toContain('skipped: closes')
    // Once more at the end, where a log that is cut still has it.
    const [, adds, opens] = output.split('\nfailed: ')
    expect(adds).toMatch(/^adds\n.*expected 2 to be 3/)
    expect(opens).toMatch(/^a\.spec\.js:2 opens\n.*toBe/)
    expect(code).toBe(1)
  })

  it('counts a stage without tests, a file that does not load and an error outside of tests as failures', async () => {
    const project = projectWith({
      'tests/unit/a.test.js': vitestFile(
        `it('is', () => expect(1).toBe(1))`,
        `void Promise.reject(new Error('astray'))`,
      ),
      'tests/integration/a.test.js': `import './not-there.js'`,
    })
    const { code, output } = await project.run('test.mjs', ['unit', 'integration', 'e2e'])
    expect(lastLine(output)).toBe('1 passed, 3 failed')
    expect(output).toContain('astray')
    expect(output).toContain('not-there.js')
    expect(output).toMatch(/^e2e +0 passed, 1 failed/m)
    expect(code).toBe(1)
  })

  it('says while it works what runs, and how far it is', async () => {
    const waiting = `import { existsSync } from 'node:fs'\nimport { join } from 'node:path'\n`
    const isSeen = (name: string): string => `existsSync(join(import.meta.dirname, '..', '..', '${name}'))`
    const project = projectWith({
      // They end once the line about them was seen.
      'tests/unit/a.test.js': `${waiting}${vitestFile(
        `it('waits', () => expect.poll(() => ${isSeen('unit-seen')}, { timeout: 30_000 }).toBe(true), 30_000)`,
      )}`,
      'tests/e2e/a.spec.js': playwrightFile(
        `test('fails', () => { expect(1).toBe(2) })`,
        `test('works', () => { expect(1).toBe(1) })`,
      ),
      'tests/e2e/b.spec.js': `${waiting}${playwrightFile(
        `test('waits', () => expect.poll(() => ${isSeen('e2e-seen')}, { timeout: 30_000 }).toBe(true))`,
      )}`,
    })
    const { output } = await project.run('test.mjs', ['unit', 'e2e', '--tell-every=0.1'], {}, (soFar) => {
      if (/^\[0:\d\d\] (e2e .*, )?unit 0 of 1 files 0:\d\d$/m.test(soFar)) project.write('unit-seen', '')
      if (/^\[0:\d\d\] e2e 2 of 3 tests, 1 failed 0:\d\d(, unit .*)?$/m.test(soFar))
        project.write('e2e-seen', '')
    })
    expect(output).toMatch(/^\[0:\d\d\] unit begins$/m)
    expect(output).not.toContain('\u001B')
    expect(lastLine(output)).toBe('3 passed, 1 failed')
  })

  it('builds before tests look at what was built', async () => {
    const project = projectWith({
      'electron.vite.config.mjs': `export default { main: { build: { rollupOptions: { input: 'main.js' } } } }`,
      'main.js': 'export {}',
      'tests/integration/a.test.js': `import { existsSync } from 'node:fs'\n${vitestFile(
        `it('is there', () => expect(existsSync('out/main/main.js')).toBe(true))`,
      )}`,
    })
    const { output } = await project.run('test.mjs', ['integration', 'build'])
    expect(lastLine(output)).toBe('2 passed, 0 failed')
  })

  it('refuses a stage that it does not have', async () => {
    const { code, output } = await projectWith({}).run('test.mjs', ['units'])
    expect(output).toContain('No such stage: units. There are build, lint, types, unit, integration, e2e.')
    expect(code).toBe(2)
  })
})
