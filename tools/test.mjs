// Everything that is checked, in one command: `npm test`, or `npm test -- unit e2e` for some stages only.
// While it works, a line every half minute says how far it is. Then one line per stage; the output of those that fail;
// at the end once more which tests failed, and why; and as the last line `N passed, N failed`.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readPlaywrightReport, readVitestReport } from './test/reports.mjs'
import { electronVite, eslint, playwright, prettier, vitest, vueTsc } from './test/programs.mjs'
import { progressTo, readProgress } from './test/progress.mjs'
import { run, top } from './test/run.mjs'

const reports = join(top, 'out', 'test')
const minute = 60_000
const reporter = (name) => join(top, 'tools', 'test', `${name}-progress.mjs`)
const progressFile = (name) => join(reports, `${name}.progress.json`)

/** A stage whose programs either all end well or not: it counts as one check. */
const check = (name, limitMs, ...commands) => ({
  name,
  async work() {
    const runs = []
    for (const command of commands) runs.push(await run(command, { limitMs, givesWay: true }))
    const bad = runs.filter(({ ok }) => !ok)
    const output = bad.map((one) => one.output).join('\n')
    return { passed: bad.length === 0 ? 1 : 0, failed: bad.length === 0 ? 0 : 1, skipped: [], output }
  },
})

/** A stage that runs tests and reports on each in a JSON file. */
const tests = (name, limitMs, command, environment, readReport) => ({
  name,
  async work() {
    const file = join(reports, `${name}.json`)
    const { ok, output } = await run(command(file), {
      limitMs,
      environment: { ...environment(file), ...progressTo(progressFile(name)) },
    })
    const counted = readReport(file)
    if (counted === undefined) return { passed: 0, failed: 1, skipped: [], output: `${output}\n(no report)` }
    const { passed, failed, skipped, reasons } = counted
    if (passed + failed === 0) return { passed: 0, failed: 1, skipped, output: `${output}\n(no test ran)` }
    // Something outside of the tests went wrong: an error that none of them caught, or the time limit.
    if (!ok && failed === 0) return { passed, failed: 1, skipped, output }
    return { passed, failed, skipped, output: failed > 0 ? output : '', reasons }
  },
})

const vitestProject = (name, limitMs) =>
  tests(
    name,
    limitMs,
    (file) => [
      ...vitest,
      'run',
      `--project=${name}*`,
      '--reporter=default',
      '--reporter=json',
      `--reporter=${reporter('vitest')}`,
      `--outputFile.json=${file}`,
    ],
    () => ({}),
    readVitestReport,
  )

const lint = check('lint', 60 * minute, [...eslint, '.'], [...prettier, '.'])
const types = check('types', 40 * minute, vueTsc('tests'))
const unit = vitestProject('unit', 25 * minute)
// Beside the window's tests it has a part of the machine only.
const integration = vitestProject('integration', 80 * minute)
const build = check('build', 15 * minute, [...electronVite, 'build'])
const e2e = tests(
  'e2e',
  80 * minute,
  () => [...playwright, 'test', `--reporter=list,json,${reporter('playwright')}`],
  (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
  readPlaywrightReport,
)
const stages = [build, lint, types, unit, integration, e2e]

const totals = { passed: 0, failed: 0 }
/** Of each test that failed. */
const allReasons = []

function tell(name, { passed, failed, skipped, output, reasons }, seconds) {
  if (failed > 0)
    allReasons.push(...(reasons ?? [`${name}\n${output.trim().split('\n').slice(-20).join('\n')}`]))
  totals.passed += passed
  totals.failed += failed
  const counts = `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
  console.log(`${name.padEnd(12)}${counts.padEnd(36)}${seconds.toFixed(1).padStart(7)} s`)
  for (const test of skipped) console.log(`  skipped: ${test}`)
  if (failed > 0) console.log(`\n${output.trim()}\n`)
}

const begunMs = performance.now()
/** The stages that run now, with when they began. */
const running = new Map()

function inMinutes(ms) {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** `[3:30] lint 3:30, unit 120 of 317 files 3:30`: since when it all runs, and of each stage how far it is, for how long. */
function sayWhatRuns() {
  const nowMs = performance.now()
  const each = [...running].map(
    ([name, sinceMs]) => `${name}${readProgress(progressFile(name))} ${inMinutes(nowMs - sinceMs)}`,
  )
  console.log(`[${inMinutes(nowMs - begunMs)}] ${each.join(', ')}`)
}

/** Runs stages one after the other; others may run beside it. */
async function inTurn(group) {
  for (const { name, work } of group) {
    const startedMs = performance.now()
    running.set(name, startedMs)
    console.log(`[${inMinutes(startedMs - begunMs)}] ${name} begins`)
    const result = await work()
    running.delete(name)
    tell(name, result, (performance.now() - startedMs) / 1000)
  }
}

const option = '--tell-every='
const names = process.argv.slice(2).filter((arg) => !arg.startsWith(option))
const tellEveryS = Number(process.argv.find((arg) => arg.startsWith(option))?.slice(option.length) ?? 30)
const unknown = names.filter((name) => !stages.some((stage) => stage.name === name))
if (unknown.length > 0) {
  console.error(
    `No such stage: ${unknown.join(', ')}. There are ${stages.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
const wanted = (group) => group.filter(({ name }) => names.length === 0 || names.includes(name))

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const telling = setInterval(sayWhatRuns, tellEveryS * 1000)
// What is packed and started has to be there before: tests that run at once would each make it in the same folder.
await inTurn(wanted([build]))
// Integration tests wait for more than half of their time and the window's tests for a quarter of theirs: on two cores
// they run beside each other from the beginning. Lint and types, which give way, take what they leave, and unit tests are
// done before either of them.
await Promise.all([inTurn(wanted([e2e])), inTurn(wanted([integration])), inTurn(wanted([lint, types, unit]))])
clearInterval(telling)

for (const reason of allReasons) console.log(`\nfailed: ${reason}`)
process.exitCode = totals.failed === 0 ? 0 : 1
if (allReasons.length > 0) console.log()
console.log(`${totals.passed} passed, ${totals.failed} failed`)
