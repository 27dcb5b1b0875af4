import { expect, test } from 'vitest'
import { ledgerCsv } from '#services/spending/csv.ts'
import { hour, ledgerAfter, lookAt, minute, noon, sightingAt } from './look.ts'

test('lines that count are rows in the order of time, and no label becomes a formula or a column', () => {
  const label = '=HYPERLINK("http://x","a, b")'
  const lines = ledgerAfter([
    lookAt(noon, [sightingAt({ label })], 40),
    lookAt(noon + 6 * minute, [sightingAt({ label })], 39.8),
    lookAt(noon + 3 * hour, [sightingAt({ label })], 34),
  ])
  const rows = ledgerCsv([...lines.toReversed(), ...lines]).split('\r\n')
  const quoted = `"'=HYPERLINK(""http://x"",""a, b"")"`
  expect(rows.slice(1)).toEqual([
    `credit,2026-11-26T12:00Z,,,,,,,,,,39.8,0.2,0`,
    `hour,2026-11-26T12:00Z,,7,${quoted},2 × RTX 4090,360,0,0,0.2,,,,`,
    `gap,2026-11-26T12:06:00.000Z,2026-11-26T15:00:00.000Z,7,${quoted},2 × RTX 4090,,,,,5.8,,,`,
    `credit,2026-11-26T15:00Z,,,,,,,,,,34,5.8,0`,
    '',
  ])
  expect(rows[0]?.split(',')).toHaveLength(14)
})
