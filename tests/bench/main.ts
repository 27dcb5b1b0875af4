// Figures, each beside its target or its yardstick of the same run: `npm run bench`. Nothing here can fail a test.
import { mkdir, writeFile } from 'node:fs/promises'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { measureCalls } from './calls.ts'
import type { Figure } from './figure.ts'
import { measureFirstScreen } from './first-screen.ts'
import { measureFlood } from './flood.ts'
import { measureOffersTable } from './offers-table.ts'

const out = join(import.meta.dirname, '../../out/bench')

const figures: Figure[] = []
for (const measure of [measureFirstScreen, measureCalls, measureFlood, measureOffersTable]) {
  for (const figure of await measure()) {
    figures.push(figure)
    const { name, value, unit, beside } = figure
    console.log(`${name.padEnd(52)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(6)} ${beside}`)
  }
}

const machine = { platform: platform(), arch: arch(), cpus: cpus().length, node: process.version }
await mkdir(out, { recursive: true })
await writeFile(join(out, 'figures.json'), `${JSON.stringify({ machine, figures }, null, 2)}\n`)
console.log(`Written to ${join(out, 'figures.json')}`)
