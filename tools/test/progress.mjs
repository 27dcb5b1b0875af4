import { readFileSync, writeFileSync } from 'node:fs'

/**
 * How far a run of tests is. Its reporter writes it into the file that this variable names, and `npm test` reads it now
 * and then.
 *
 * @typedef {{ done: number, of: number, unit: 'files' | 'tests', failed: number }} Progress
 */
const variable = 'SLIPWAY_PROGRESS_FILE'

/** @returns {Record<string, string>} for the environment of the run */
export const progressTo = (file) => ({ [variable]: file })

/** @param {Progress} progress */
export function writeProgress(progress) {
  const file = process.env[variable]
  if (file) writeFileSync(file, JSON.stringify(progress))
}

/** @returns {string} for a line of `npm test`; empty before the run knows how much there is */
export function readProgress(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
  // It may be read while it is written.
  const [, done, of, unit, failed] =
    /^\{"done":(\d+),"of":(\d+),"unit":"(\w+)","failed":(\d+)\}$/.exec(text) ?? []
  if (done === undefined) return ''
  return ` ${done} of ${of} ${unit}${failed === '0' ? '' : `, ${failed} failed`}`
}
