// The short check while writing: `npm run quick`. It looks at what has changed since the branch left main, committed or
// not, and says what it left out. Everything is checked by `npm test`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eslint, eslintCache, prettier, vitest, vueTsc } from './test/programs.mjs'
import { run, top } from './test/run.mjs'

const limitMs = 10 * 60_000

const lines = (text) => text.split('\n').filter((line) => line !== '')

/** @returns {string | undefined} what git prints; undefined when it refuses */
function git(...args) {
  // Without quotes, names are as they are.
  const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=off', ...args], {
    cwd: top,
    encoding: 'utf8',
  })
  return status === 0 ? stdout : undefined
}

/** Where the branch left main; on main itself, and where there is none, the last commit. */
function findBase() {
  for (const main of ['main', 'origin/main']) {
    const base = git('merge-base', 'HEAD', main)?.trim()
    if (base) return base
  }
  return 'HEAD'
}

function findChanged() {
  const tracked = git('diff', '--name-only', findBase())
  const untracked = git('ls-files', '--others', '--exclude-standard')
  if (tracked === undefined || untracked === undefined) throw new Error('This needs a git repository.')
  return [...new Set([...lines(tracked), ...lines(untracked)])].sort()
}

const changed = findChanged()
const present = changed.filter((path) => existsSync(join(top, path)))
const code = present.filter((path) => /\.(ts|mts|js|mjs|vue)$/.test(path))
const isTest = (path) => path.endsWith('.test.ts')
const sources = code.filter((path) => /^(src-main|src-renderer|tests|tools)\//.test(path))
const integration = sources.filter((path) => path.startsWith('tests/integration/') && isTest(path))
const specs = sources.filter((path) => path.startsWith('tests/e2e/') && path.endsWith('.spec.ts'))
// Also what is gone: somebody may still import it.
const typed = changed.filter((path) =>
  /\.(ts|mts|vue)$|(^|\/)(tsconfig|package|package-lock)\.json$/.test(path),
)

// Each part with its folders, and the one that it imports. Tests import them all.
const parts = [
  { part: 'src-main/contract', name: 'types shared', folders: ['src-main/contract', 'src-main/domain'] },
  { part: 'src-main', name: 'types main', after: 'src-main/contract' },
  { part: 'src-renderer', name: 'types window', after: 'src-main/contract' },
  { part: 'tests', name: 'types tests' },
]
const partOf = (path) =>
  parts.find(({ part, folders = [part] }) => folders.some((folder) => path.startsWith(`${folder}/`)))?.part
const touched = new Set(typed.map(partOf))
// What belongs to no part, such as a tsconfig.json, belongs to all.
const isTouched = (part) => touched.has(part) || touched.has(undefined)

/** A step with nothing to look at is not taken. */
const [shared, main, window, tests] = parts.map(({ part, name, after }) => ({
  name,
  files: part === 'tests' || isTouched(part) || (after && isTouched(after)) ? typed : [],
  command: vueTsc(part),
}))
const others = [
  { name: 'Prettier', files: present, command: [...prettier, '--ignore-unknown', ...present] },
  { name: 'ESLint', files: code, command: [...eslint, '--no-warn-ignored', ...eslintCache, ...code] },
  {
    name: 'unit tests',
    files: sources,
    command: [...vitest, 'related', '--run', '--passWithNoTests', '--project=unit*', ...sources],
  },
  {
    name: 'integration',
    files: integration,
    command: [...vitest, 'run', '--project=integration', ...integration],
  },
]

let failed = 0

/** @returns {Promise<boolean>} whether it is well */
async function take({ name, files, command }) {
  if (files.length === 0) return true
  const startedMs = performance.now()
  const { ok, output } = await run(command, { limitMs })
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)
  console.log(`${name.padEnd(14)}${(ok ? 'ok' : 'failed').padEnd(14)}${seconds} s`)
  if (ok) return true
  failed += 1
  console.log(`\n${output.trim()}\n`)
  return false
}

/** What is wrong in one part is told at once, and those that import it would only repeat it. */
async function takeTypes() {
  if (!(await take(shared))) return
  const both = await Promise.all([take(main), take(window)])
  if (both.every(Boolean)) await take(tests)
}

async function takeOthers() {
  for (const step of others) await take(step)
}

console.log(`${changed.length} changed ${changed.length === 1 ? 'file' : 'files'}`)
// Side by side: there are two cores at least, and types take the longest.
await Promise.all([takeTypes(), takeOthers()])

const left = [
  'files that have not changed are linted by npm run lint',
  'integration tests that have not changed themselves, the build, and e2e are run by npm test',
  ...specs.map((path) => `${path} has changed: npx playwright test ${path}`),
]
console.log(`Left out: ${left.join(';\n  ')}.`)
process.exitCode = failed === 0 ? 0 : 1
