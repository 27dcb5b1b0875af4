import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { userFigures, withTable } from '../../bench/figures-table.ts'
import type { BenchRun } from '../../bench/report.ts'

const run: BenchRun = {
  commit: 'abc1234',
  machine: {
    system: 'Debian GNU/Linux 12',
    arch: 'x64',
    cores: 2,
    memoryGb: 8,
    node: '24.0.0',
    host: 'Chromium 141.0 in place of Electron',
    loadAverage: [0, 0, 0],
  },
  options: { rounds: 3, scale: 1, only: [], docs: true },
  figures: [
    { name: 'start', value: 812, unit: 'ms', beside: 'a | b', spread: { least: 800, most: 900 } },
    { name: 'package', value: 9, unit: 'MB', beside: '', target: { atMost: 8 } },
  ],
}
const pageOf = (path: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../..', path), 'utf8')
const figuresPage = (): Promise<string> => pageOf('docs/figures.md')

test('the table says on what it was measured, with the spread, and what is missed', async () => {
  const page = await withTable(await figuresPage(), run)
  expect(page).toContain('2 cores (x64) with 8 GB, Debian GNU/Linux 12, Node 24.0.0, Chromium 141.0')
  expect(page).toMatch(/\| start +\| +812 ms \(800 to 900\) +\|/)
  expect(page).toContain('a \\| b')
  expect(page).toMatch(/≤ 8 MB, missed/)
})

test('the table says of which commit it is, where that is known', async () => {
  const sentenceOf = async (commit: BenchRun['commit']): Promise<string | undefined> =>
    /Measured on .*? rounds/.exec(await withTable(await figuresPage(), { ...run, commit }))?.[0]
  expect(await sentenceOf('abc1234')).toContain('in place of Electron, at commit abc1234. Each value')
  expect(await sentenceOf('abc1234 with changes')).toContain('at commit abc1234 with changes. Each value')
  expect(await sentenceOf(null)).toContain('in place of Electron. Each value')
})

test('a second run takes the place of the first, and all around it stays', async () => {
  const first = await withTable(await figuresPage(), run)
  const second = await withTable(first, { ...run, figures: run.figures.slice(1) })
  expect(second).not.toContain('812 ms')
  expect(second.split('| figure ')).toHaveLength(2)
  expect(await withTable(second, run)).toBe(first)
})

test('a page without a place for it is left alone', async () => {
  await expect(withTable('# Slipway\n', run)).rejects.toThrow('lacks')
})

test('the README has the figures that a user notices, from the run of the whole table', async () => {
  const rowsOf = (page: string): string[] =>
    page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.replaceAll(/ {2,}/g, ' '))
  const [readme, all] = [rowsOf(await pageOf('README.md')), rowsOf(await figuresPage())]
  for (const name of userFigures) {
    const row = all.find((line) => line.startsWith(`| ${name} |`))
    expect(row).toBeDefined()
    expect(readme).toContain(row)
  }
})
