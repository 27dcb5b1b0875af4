import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'prettier'
import { isMet, shown, type Figure } from './figure.ts'
import { targetWords, type BenchRun } from './report.ts'

const begin = '<!-- figures: written by `npm run bench -- --readme` -->'
const end = '<!-- /figures -->'

/** Puts a run in the place of the one that the page shows. @throws Error when the page has no place for it */
export async function writeTable(file: string, run: BenchRun): Promise<void> {
  await writeFile(file, await withTable(await readFile(file, 'utf8'), run))
}

/** A page with this run between its two marks. @throws Error when it has them not */
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
