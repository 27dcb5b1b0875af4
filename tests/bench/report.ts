import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMet, shown, type Figure, type Target } from './figure.ts'
import type { Machine } from './machine.ts'
import type { BenchOptions } from './options.ts'

/** What was measured, on what. */
export interface BenchRun {
  /** As `describeCommit` tells it. */
  readonly commit: string | null
  readonly machine: Machine
  readonly options: BenchOptions
  readonly figures: readonly Figure[]
}

/** One line of the table. */
export function lineOf(figure: Figure): string {
  const { name, value, unit, target, spread, beside } = figure
  const met = isMet(figure)
  const verdict = met === null ? '' : met ? 'met' : 'MISSED'
  const range = spread ? `(${shown(spread.least)} to ${shown(spread.most)})` : ''
  return [
    verdict.padEnd(6),
    name.padEnd(54),
    `${shown(value)} ${unit}`.padStart(12),
    range.padEnd(18),
    (target === undefined ? '' : targetWords(target, unit)).padEnd(11),
    beside,
  ]
    .join(' ')
    .trimEnd()
}

/** The heading that `lineOf` fits. */
export const heading = lineOf({ name: 'figure', value: 0, unit: '', beside: 'measured beside' })
  .replace('0.00 ', 'value')
  .replace(/value +measured/, 'value (least to most)  target      measured')

/** Such as `≤ 8 MB`. */
export function targetWords(target: Target, unit: string): string {
  return 'atLeast' in target ? `≥ ${target.atLeast} ${unit}` : `≤ ${target.atMost} ${unit}`
}

/** Writes all figures for programs to read, and gives the file's path. */
export async function writeFigures(folder: string, { figures, ...about }: BenchRun): Promise<string> {
  const file = join(folder, 'figures.json')
  const rows = figures.map((figure) => ({ ...figure, met: isMet(figure) }))
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${JSON.stringify({ ...about, figures: rows }, null, 2)}\n`)
  return file
}
