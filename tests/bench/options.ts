import { parseArgs } from 'node:util'

/** How much is measured. */
export interface BenchOptions {
  /** Rounds in which subject and yardstick take turns. */
  readonly rounds: number
  /** 1 for the sizes of the targets, less for a quick look. */
  readonly scale: number
  /** Parts to measure; all of them when it is empty. */
  readonly only: readonly string[]
  /** Whether the table in the README is to be this run's. */
  readonly readme: boolean
}

/**
 * From the command line: `--only=sftp,echo`, `--rounds=5`, `--scale=0.1`, `--quick` for one round at a
 * tenth, and `--readme` to put the figures into the README.
 *
 * @throws Error that says what is wrong
 */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      scale: { type: 'string' },
      readme: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  })
  if (values.readme && (values.only !== '' || values.quick))
    throw new Error('--readme takes a whole run: without --only and --quick')
  return {
    readme: values.readme,
    rounds: positive('--rounds', values.rounds ?? (values.quick ? '1' : '3')),
    scale: positive('--scale', values.scale ?? (values.quick ? '0.1' : '1')),
    only: values.only.split(',').filter((name) => name !== ''),
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${name} takes a number above 0, not "${text}"`)
  return value
}
