import { parseArgs } from 'node:util'

/** How much is measured. */
export interface BenchOptions {
  /** Rounds in which subject and yardstick take turns. */
  readonly rounds: number
  /** 1 for the sizes of the targets, less for a quick look. */
  readonly scale: number
  /** Parts to measure; all of them when it is empty. */
  readonly only: readonly string[]
  /** Whether the tables in the docs become this run's. */
  readonly docs: boolean
}

/**
 * From the command line: `--only=sftp,echo`, `--rounds=5`, `--scale=0.1`, `--quick` for one round at a
 * tenth, and `--docs` to put the figures into the docs.
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
      docs: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  })
  if (values.docs && (values.only !== '' || values.quick))
    throw new Error('--docs takes a whole run: without --only and --quick')
  return {
    docs: values.docs,
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
