// Figures, each beside its target or its yardstick of the same run: `npm run bench`. Nothing here can fail a test.
import { join } from 'node:path'
import { measureIdle } from './app/idle.ts'
import { measureSizes } from './app/sizes.ts'
import { measureStartUp } from './app/start-up.ts'
import { measureCalls } from './calls.ts'
import { describeCommit } from './commit.ts'
import type { Figure } from './figure.ts'
import { writeTables } from './figures-table.ts'
import { measureFirstScreen } from './first-screen.ts'
import { measureGuard } from './guard.ts'
import { describeMachine } from './machine.ts'
import { measureFilesTable } from './files-table.ts'
import { measureInstancesTable } from './instances-table.ts'
import { measureLog } from './log.ts'
import { measureLogFile } from './log-file.ts'
import { measurePalette } from './palette.ts'
import { measureReadme } from './readme.ts'
import { measureOffersTable } from './offers-table.ts'
import { readOptions } from './options.ts'
import { heading, lineOf, writeFigures } from './report.ts'
import { startBenchMachine, type BenchMachine } from './ssh/bench-machine.ts'
import { measureConnect } from './ssh/connect.ts'
import { measureFigures } from './ssh/figures.ts'
import { measureForward } from './ssh/forward.ts'
import { measureMemory } from './ssh/memory.ts'
import { measurePush } from './ssh/push.ts'
import { measureSftp } from './ssh/sftp.ts'
import { measureScreensAlone } from './terminals/alone.ts'
import { measureEcho } from './terminals/echo.ts'
import { measureInterrupt } from './terminals/interrupt.ts'
import { measureTemplatesTable } from './templates-table.ts'
import { startStage, type Stage } from './terminals/stage.ts'
import { measureSums } from './terminals/sums.ts'
import { measureThroughput } from './terminals/throughput.ts'

const options = readOptions(process.argv.slice(2))
const top = join(import.meta.dirname, '../..')
const out = join(top, 'out/bench')

async function onMachine(measure: (machine: BenchMachine) => Promise<Figure[]>): Promise<Figure[]> {
  const machine = await startBenchMachine()
  try {
    return await measure(machine)
  } finally {
    await machine.end()
  }
}

async function onStage(measure: (stage: Stage) => Promise<Figure[]>): Promise<Figure[]> {
  const stage = await startStage()
  try {
    return await measure(stage)
  } finally {
    await stage.end()
  }
}

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  'start-up': () => measureStartUp(options),
  idle: () => measureIdle(options),
  sizes: measureSizes,
  'first-screen': measureFirstScreen,
  calls: () => measureCalls(options),
  throughput: () => onStage((stage) => measureThroughput(stage, options)),
  interrupt: () => onStage((stage) => measureInterrupt(stage, options)),
  echo: () => onStage((stage) => measureEcho(stage, options)),
  screens: () => onStage((stage) => measureScreensAlone(stage, options)),
  sums: () => onStage((stage) => measureSums(stage, options)),
  connect: () => onMachine((machine) => measureConnect(machine, options)),
  memory: () => onMachine((machine) => measureMemory(machine, options)),
  figures: () => onMachine((machine) => measureFigures(machine, options)),
  sftp: () => onMachine((machine) => measureSftp(machine, options)),
  push: () => onMachine((machine) => measurePush(machine, options)),
  forward: () => onMachine((machine) => measureForward(machine, options)),
  guard: () => measureGuard(options),
  offers: () => measureOffersTable(options),
  templates: () => measureTemplatesTable(options),
  instances: () => measureInstancesTable(options),
  files: () => measureFilesTable(options),
  palette: () => measurePalette(options),
  readme: () => measureReadme(options),
  log: () => measureLog(options),
  'log-file': () => measureLogFile(options),
}

const unknown = options.only.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`No part is called ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}`)

// Before anything takes its time: what is changed meanwhile is not what was measured.
const commit = await describeCommit(top)
console.log(heading)
const figures: Figure[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (options.only.length > 0 && !options.only.includes(name)) continue
  for (const figure of await measure()) {
    figures.push(figure)
    console.log(lineOf(figure))
  }
}
const run = { commit, machine: await describeMachine(), options, figures }
console.log(`Written to ${await writeFigures(out, run)}`)
if (options.docs) console.log(`Tables written to ${(await writeTables(top, run)).join(' and ')}`)
// Whatever still listens would keep this process for ever.
process.exit()
