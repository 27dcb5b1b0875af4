import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format } from 'prettier'
import { isMet, shown, type Figure } from './figure.ts'
import { targetWords, type BenchRun } from './report.ts'

const begin = '<!-- figures: written by `npm run bench -- --docs` -->'
const end = '<!-- /figures -->'

/** The figures that a user notices, by name: those of the README. `docs/figures.md` has all. */
export const userFigures: readonly string[] = [
  'start to the first usable screen',
  '1,000 instances, 10 terminals, idle, all processes: processor',
  '1,000 instances, 10 terminals, idle, all processes: memory',
  'package without Electron',
  "echo, key to drawn, idle, p50 above OpenSSH's client",
  'Ctrl-C under `yes` until the prompt is drawn',
  'connect to prompt, 50 ms away',
  'SFTP download, 1024 MiB',
  '10,000 offers: from the reply to all painted rows',
  '1,000 instances: frame while scrolling, 95 of 100 below',
]

/**
 * Puts a whole run in the place of the one that the project's pages show, and gives their paths.
 *
 * @param top the project's folder
 * @throws Error when a page has no place for it, or the run lacks a figure of the README
 */
export async function writeTables(top: string, run: BenchRun): Promise<string[]> {
  const pages = [
    { file: join(top, 'docs/figures.md'), figures: run.figures },
    { file: join(top, 'README.md'), figures: pick(run.figures) },
  ]
  for (const { file, figures } of pages)
    await writeFile(file, await withTable(await readFile(file, 'utf8'), { ...run, figures }))
  return pages.map(({ file }) => file)
}

function pick(figures: readonly Figure[]): Figure[] {
  return userFigures.map((name) => {
    const figure = figures.find((one) => one.name === name)
    if (figure === undefined) throw new Error(`The run has no figure "${name}"`)
    return figure
  })
}

/** A page with this run between its two marks. @throws Error when the page lacks them */
export async function withTable(page: string, run: BenchRun): Promise<string> {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page lacks "${begin}" and "${end}" after it`)
  const text = `${page.slice(0, from)}${begin}\n\n${table(run)}\n\n${page.slice(to)}`
  return format(text, { parser: 'markdown', printWidth: 110 })
}

function table({ commit, machine, options, figures }: BenchRun): string {
  const { system, arch, cores, memoryGb, node, host } = machine
  const source = commit === null ? '' : `, at commit ${commit}`
  return [
    `Measured on ${cores} cores (${arch}) with ${memoryGb} GB, ${system}, Node ${node}, ${host}${source}. Each ` +
      `value is the median of ${options.rounds} rounds, in brackets the least and the most of them.`,
    '',
    '| figure | value | target | measured beside |',
    '| --- | ---: | --- | --- |',
    ...figures.map(row),
  ].join('\n')
}

function row(figure: Figure): string {
  const { name, value, unit, spread, target, beside } = figure
  const range = spread ? ` (${shown(spread.least)} to ${shown(spread.most)})` : ''
  const met = isMet(figure)
  const aim = target === undefined ? '' : `${targetWords(target, unit)}${met === false ? ', missed' : ''}`
  return `| ${[name, `${shown(value)} ${unit}${range}`, aim, beside].map(cell).join(' | ')} |`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
