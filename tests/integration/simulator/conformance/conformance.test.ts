import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { exempt, rows } from './rows.ts'
import { type Statement, statementsOf } from './statements.ts'

const description = await readFile(join(import.meta.dirname, '../../../../docs/service-api.md'), 'utf8')
const statements = statementsOf(description)

/** It stands, and is moved by hand: what is checked is good up to a second before it is not. */
const standingMs = Date.now()

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ bootSeconds: [60, 60], machineNow: () => standingMs })
})
afterAll(() => simulator.close())

describe('the simulator does what the description says', () => {
  it.each(rows.map((row) => ({ ...row, name: row.seen ? `${row.says}: ${row.seen}` : row.says })))(
    '$section $name',
    async ({ check }) => {
      expect.hasAssertions()
      await check(simulator)
    },
  )
})

const isAbout = (statement: Statement, { section, says }: { section: string; says: string }): boolean =>
  (statement.section === section || statement.section.startsWith(`${section} `)) &&
  statement.text.includes(says)

it('every sentence of the description has a row, or says nothing to check', () => {
  const entries = [...rows, ...exempt]
  const forgotten = statements.filter((statement) => !entries.some((entry) => isAbout(statement, entry)))
  expect(forgotten).toEqual([])
})

it('every row quotes the description', () => {
  const invented = [...rows, ...exempt].filter(
    (entry) => !statements.some((statement) => isAbout(statement, entry)),
  )
  expect(invented.map(({ section, says }) => ({ section, says }))).toEqual([])
})
