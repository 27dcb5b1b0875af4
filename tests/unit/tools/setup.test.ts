import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createProject, type Ended } from './project.ts'

const removals: (() => void)[] = []

afterEach(() => {
  for (const remove of removals.splice(0)) remove()
})

const wanted = {
  '': { name: 'slipway' },
  'node_modules/vue': { version: '3.0.0', integrity: 'sha512-vue' },
  'node_modules/for-windows': { version: '1.0.0', integrity: 'sha512-win', optional: true },
}
const installed = { 'node_modules/vue': { version: '3.0.0', integrity: 'sha512-vue' } }

/** Stands in for npm: notes its arguments, and leaves behind what an installation leaves. */
const npm = `
const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs')
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n')
if (process.env.NPM_FAILS) { console.error('npm error E404 no such package'); process.exit(1) }
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules/electron-vite/bin', { recursive: true })
writeFileSync('node_modules/electron-vite/bin/electron-vite.js', '', { mode: 0o644 })
setTimeout(() => writeFileSync('node_modules/.package-lock.json', '${JSON.stringify({ packages: installed })}'), 300)
`

interface Machine {
  readonly folder: string
  readonly npmCalls: () => string[]
  readonly install: (packages: object) => void
  readonly setUp: (purpose: string, environment?: NodeJS.ProcessEnv) => Promise<Ended>
}

/** A clone on a machine whose PATH has nothing but the given programs. */
function machineWith(programs: Readonly<Record<string, string>> = {}): Machine {
  const project = createProject({
    'package-lock.json': JSON.stringify({ packages: wanted }),
    'npm/cli.js': npm,
    'bin/.keep': '',
    ...Object.fromEntries(Object.entries(programs).map(([name, text]) => [`bin/${name}`, text])),
  })
  removals.push(project.remove)
  const notes = join(project.folder, 'npm-calls')
  return {
    folder: project.folder,
    npmCalls: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []),
    install(packages) {
      project.write('node_modules/.package-lock.json', JSON.stringify({ packages }))
      project.write('node_modules/electron-vite/bin/electron-vite.js', '')
    },
    setUp: (purpose, environment) =>
      project.run('setup.mjs', [`--for=${purpose}`], {
        PATH: join(project.folder, 'bin'),
        npm_execpath: join(project.folder, 'npm', 'cli.js'),
        npm_node_execpath: process.execPath,
        ...environment,
      }),
  }
}

describe('the npm packages', () => {
  it('are left alone, silently, when they are what package-lock.json asks for', async () => {
    const machine = machineWith()
    machine.install(installed)
    expect(await machine.setUp('build')).toEqual({ code: 0, output: '' })
    expect(machine.npmCalls()).toEqual([])
  })

  it.each([
    ['one is missing', {}],
    ['one has another version', { 'node_modules/vue': { version: '2.0.0', integrity: 'sha512-vue' } }],
    ['one has other content', { 'node_modules/vue': { version: '3.0.0', integrity: 'sha512-other' } }],
    ['one is there that should not', { ...installed, 'node_modules/react': { version: '1.0.0' } }],
  ])('are installed anew when %s', async (_, packages) => {
    const machine = machineWith()
    machine.install(packages)
    const { code, output } = await machine.setUp('build')
    expect(machine.npmCalls()).toEqual([expect.stringMatching(/^ci --include=dev/)])
    expect(output).toMatch(/installing the npm packages[^]*installed in \d+ s/)
    expect(code).toBe(0)
  })

  it('are installed once when two setups of a fresh clone run at the same time', async () => {
    const machine = machineWith()
    const ends = await Promise.all([machine.setUp('build'), machine.setUp('build')])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    expect(machine.npmCalls()).toHaveLength(1)
  })

  it('that cannot be installed are a failure that shows what npm said', async () => {
    const { code, output } = await machineWith().setUp('build', { NPM_FAILS: '1' })
    expect(output).toContain('npm error E404 no such package')
    expect(code).toBe(1)
  })

  // Windows has no run bits.
  it.skipIf(process.platform === 'win32')('get the run bit of electron-vite back', async () => {
    const machine = machineWith()
    await machine.setUp('build')
    const { mode } = statSync(join(machine.folder, 'node_modules/electron-vite/bin/electron-vite.js'))
    expect(mode & 0o111).toBe(0o111)
  })
})

describe.runIf(process.platform === 'linux')('the system packages', () => {
  const without = (programs: Readonly<Record<string, string>> = {}): Machine => {
    const machine = machineWith(programs)
    machine.install(installed)
    return machine
  }

  it('are not looked for by a build', async () => {
    expect(await without().setUp('build')).toEqual({ code: 0, output: '' })
  })

  it('are named where there is no apt-get', async () => {
    const { code, output } = await without().setUp('test')
    expect(output).toMatch(/please install what Debian calls .*chromium.*gnome-keyring/)
    expect(code).toBe(1)
  })

  it('are installed by root; anyone else gets the exact command', async () => {
    const aptGet = `#!/bin/sh\necho "$@" >> "$APT_CALLS"\n`
    const machine = without({ 'apt-get': aptGet })
    const calls = join(machine.folder, 'apt-calls')
    const { code, output } = await machine.setUp('demo', { APT_CALLS: calls })
    const command = /install -y --no-install-recommends .*chromium.*gnome-keyring/
    if (process.getuid?.() === 0) {
      expect(readFileSync(calls, 'utf8')).toMatch(command)
      expect(code).toBe(0)
    } else {
      expect(output).toMatch(new RegExp(`sudo apt-get update && sudo apt-get ${command.source}`))
      expect(code).toBe(1)
    }
  })
})

it('a purpose that setup does not know is refused', async () => {
  const { code, output } = await machineWith().setUp('fun')
  expect(output).toContain('--for=fun is not known; it is one of build, start, test, demo')
  expect(code).toBe(1)
})
