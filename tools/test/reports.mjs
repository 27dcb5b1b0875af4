import { existsSync, readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/**
 * What ran, from a report file; undefined when there is none, because the run broke off. `reasons` has for each test that
 * failed its name and the first lines of its errors.
 *
 * @typedef {{ passed: number, failed: number, skipped: string[], reasons: string[] }} Counted
 */

/** @returns {Counted | undefined} */
export function readVitestReport(file) {
  const report = read(file)
  if (report === undefined) return undefined
  const { testResults } = report
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  // A file that could not be loaded has failed without having a test that failed.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: tests.filter(({ status }) => status === 'failed').length + broken.length,
    skipped: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => fullName),
    reasons: [
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => reasonOf(fullName, failureMessages)),
      ...broken.map(({ name, message }) => reasonOf(name, [message])),
    ],
  }
}

/** @returns {Counted | undefined} */
export function readPlaywrightReport(file) {
  const report = read(file)
  if (report === undefined) return undefined
  const { suites, errors } = report
  const specs = suites.flatMap(specsOf)
  const tests = specs.flatMap(({ file, line, title, tests }) =>
    tests.map(({ status, results }) => ({ name: `${file}:${line} ${title}`, title, status, results })),
  )
  const isBad = ({ status }) => status === 'unexpected' || status === 'flaky'
  return {
    passed: tests.filter(({ status }) => status === 'expected').length,
    // `errors` are those outside of tests, such as a file that could not be loaded.
    failed: tests.filter(isBad).length + errors.length,
    reasons: [
      ...tests.filter(isBad).map(({ name, results }) =>
        reasonOf(
          name,
          results.flatMap((result) => result.errors.map(({ message = '' }) => message)),
        ),
      ),
      ...errors.map(({ message = '' }) => reasonOf('outside of tests', [message])),
    ],
    skipped: tests.filter(({ status }) => status === 'skipped').map(({ title }) => title),
  }
}

const mostReasonLines = 12

/** Short, so that all of them stand together at the end of a long log. */
function reasonOf(name, messages) {
  const lines = messages.flatMap((message) => {
    const text = stripVTControlCharacters(message).split('\n')
    // Where the test stands is of use; the runner's own lines are not.
    const own = text.filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    return own.slice(0, mostReasonLines)
  })
  return [name, ...lines.map((line) => `    ${line}`)].join('\n')
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
