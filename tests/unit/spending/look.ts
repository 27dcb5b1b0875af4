import { countOn, emptyBook, type Look, type OpenBook, type Sighting } from '#services/spending/count.ts'
import type { LedgerLine } from '#domain/spending/ledger-line.ts'

export const minute = 60_000
export const hour = 60 * minute
export const noon = Date.UTC(2026, 10, 26, 12)

/** Instance 7, running at $2/h, with whatever a test says else. */
export function sightingAt(change: Partial<Sighting> = {}): Sighting {
  return {
    instanceId: 7,
    identity: { machineId: 70, startedAt: null },
    label: 'train',
    model: '2 × RTX 4090',
    isRunning: true,
    perHourUsd: 2,
    ...change,
  }
}

export function lookAt(at: number, sightings: readonly Sighting[], creditUsd: number | null = null): Look {
  return { at, sightings, creditUsd }
}

/** What the ledger has after all of these lists, with the hour that goes on. */
export function ledgerAfter(looks: readonly Look[], book: OpenBook = emptyBook): readonly LedgerLine[] {
  const { closed, open } = looks.reduce(countOn, book)
  return [...closed, ...open]
}
