import { existsSync, readFileSync } from 'node:fs'

/**
 * What ran, from a report file; undefined when there is none, because the run broke off.
 *
 * @typedef {{ passed: number, failed: number, skipped: string[] }} Counted
 */

/** @returns {(Counted & { failedFiles: string[], passedInOthers: number }) | undefined} */
export function readVitestReport(file) {
  const report = read(file)
  if (report === undefined) return undefined
  const { testResults } = report
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const passedOf = (files) =>
    files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed')
      .length
  // A file that could not be loaded has failed without having a test that failed.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: passedOf(testResults),
    failed: tests.filter(({ status }) => status === 'failed').length + broken.length,
    skipped: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => fullName),
    failedFiles: testResults.filter(({ status }) => status === 'failed').map(({ name }) => name),
    passedInOthers: passedOf(testResults.filter(({ status }) => status !== 'failed')),
  }
}

/** @returns {Counted | undefined} */
export function readPlaywrightReport(file) {
  const report = read(file)
  if (report === undefined) return undefined
  const { suites, errors } = report
  const specs = suites.flatMap(specsOf)
  const tests = specs.flatMap(({ title, tests }) => tests.map(({ status }) => ({ title, status })))
  return {
    passed: tests.filter(({ status }) => status === 'expected').length,
    // `errors` are those outside of tests, such as a file that could not be loaded.
    failed:
      tests.filter(({ status }) => status === 'unexpected' || status === 'flaky').length + errors.length,
    skipped: tests.filter(({ status }) => status === 'skipped').map(({ title }) => title),
  }
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** Undefined also for one that was cut off: the run broke off while it wrote it. */
function read(file) {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
