import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createProject } from './project.ts'

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules')
const removals: (() => void)[] = []

afterEach(() => {
  for (const remove of removals.splice(0)) remove()
})

/** A small project on this project's packages, committed on main. */
function committedProject(): ReturnType<typeof createProject> & {
  readonly git: (...args: string[]) => void
} {
  const project = createProject({
    'package.json': '{ "type": "module" }',
    '.gitignore': 'node_modules\nout\ntools\n',
    '.prettierrc.json': '{ "semi": false, "singleQuote": true }',
    'eslint.config.js': `export default [{ rules: { 'no-var': 'error' } }]\n`,
    'vitest.config.js': `export default {\n  test: { projects: [{ test: { name: 'unit', include: ['tests/unit/*.test.js'] } }] },\n}\n`,
    'tests/tsconfig.json': '{ "files": ["types.ts"], "compilerOptions": { "noEmit": true } }\n',
    'tests/types.ts': 'export const one: number = 1\n',
    'src-main/one.js': 'export const one = 1\n',
    'src-main/two.js': 'export const two = 2\n',
    'tests/unit/one.test.js': `import { expect, it } from 'vitest'\nimport { one } from '../../src-main/one.js'\n\nit('is one', () => expect(one).toBe(1))\n`,
    'tests/unit/two.test.js': `import { expect, it } from 'vitest'\nimport { two } from '../../src-main/two.js'\n\nit('is two', () => expect(two).toBe(2))\n`,
  })
  removals.push(project.remove)
  symlinkSync(modules, join(project.folder, 'node_modules'))
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: project.folder,
      stdio: 'ignore',
    })
  }
  git('init', '-b', 'main')
  git('add', '.')
  git('commit', '-m', 'First')
  return { ...project, git }
}

describe('npm run quick', () => {
  it('looks at nothing when nothing has changed', async () => {
    const { code, output } = await committedProject().run('quick.mjs')
    expect(output).toMatch(/^0 changed files\nLeft out: /)
    expect(code).toBe(0)
  })

  it('looks at what the branch and the working tree have changed, and at nothing else', async () => {
    const project = committedProject()
    project.write(
      'tests/unit/two.test.js',
      `import { it } from 'vitest'\n\nit('fails', () => it.unknown())\n`,
    )
    project.git('commit', '-am', 'What stands on main already')
    project.git('checkout', '-b', 'branch')
    project.write('src-main/one.js', 'export const one = 1 // as it was\n')
    project.git('commit', '-am', 'Second')
    project.write('src-main/new.js', 'export const three = 3\n')
    const { code, output } = await project.run('quick.mjs')
    expect(output).toMatch(/^2 changed files$/m)
    expect(output).toMatch(/^Prettier +ok/m)
    expect(output).toMatch(/^ESLint +ok/m)
    // The test of what has changed, and not the one that fails; and there is no file with types among them.
    expect(output).toMatch(/^unit tests +ok/m)
    expect(output).not.toMatch(/^types/m)
    expect(code).toBe(0)
  })

  it('fails for each of what it looks at, and goes on', async () => {
    const project = committedProject()
    project.write('src-main/one.js', 'var one = 2;\nexport { one }\n')
    project.write('tests/types.ts', `export const one: number = 'one'\n`)
    const { code, output } = await project.run('quick.mjs')
    for (const step of ['Prettier', 'ESLint', 'types tests', 'unit tests'])
      expect(output).toMatch(new RegExp(`^${step} +failed`, 'm'))
    expect(output).toContain('no-var')
    expect(output).toContain('TS2322')
    expect(output).toContain('expected 2 to be 1')
    expect(code).toBe(1)
  })

  it.each([
    { part: 'src-main/contract', name: 'shared' },
    { part: 'src-main', name: 'main' },
    { part: 'src-renderer', name: 'window' },
  ])('tells what is wrong in $part without a look at what imports it', async ({ part, name }) => {
    const project = committedProject()
    project.write(
      `${part}/tsconfig.json`,
      '{ "files": ["one.ts"], "compilerOptions": { "composite": true } }\n',
    )
    project.write(`${part}/one.ts`, `export const one: number = 'one'\n`)
    const { code, output } = await project.run('quick.mjs')
    expect(output.match(/^types .*/gm)).toEqual([expect.stringMatching(new RegExp(`^types ${name} +failed`))])
    expect(output.match(/TS2322/g)).toHaveLength(1)
    expect(code).toBe(1)
  })

  it('names a changed spec, which it does not run', async () => {
    const project = committedProject()
    project.write('tests/e2e/a.spec.ts', 'export {}\n')
    const { output } = await project.run('quick.mjs')
    expect(output).toContain('npx playwright test tests/e2e/a.spec.ts')
  })
})
