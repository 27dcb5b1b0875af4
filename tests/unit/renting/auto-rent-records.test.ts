import { expect, test } from 'vitest'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import type { AutoRentEntry } from '#services/renting/auto-rent-journal.ts'
import { AutoRentRecords } from '#services/renting/auto-rent-records.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'

test('what ends while another line is written is written, too', async () => {
  const entries = memoryJournal<AutoRentEntry>()
  const disk = Promise.withResolvers<undefined>()
  let isSlow = false
  const journal = {
    ...entries,
    append: async (...added: readonly AutoRentEntry[]) => {
      if (isSlow) await disk.promise
      await entries.append(...added)
    },
  }
  const records = new AutoRentRecords({ journal, log: memoryLog() })
  const order = { searchId: 's', name: '', query: defaultOfferQuery, diskGb: null, sealedBody: '' }
  const plan = { instances: 1, capPerHourUsd: 1 }
  for (const id of ['a', 'b']) await records.append({ kind: 'begun', id, at: 0, ...order, plan })
  isSlow = true
  const stopping = records.append({ kind: 'stopping', id: 'a', at: 1 })
  await settle()
  const ending = records.note({ kind: 'ended', id: 'b', at: 1, outcome: { kind: 'low-credit' } })
  disk.resolve(undefined)
  await Promise.all([stopping, ending])
  expect((await entries.readAll()).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    ...['begun a', 'begun b', 'stopping a', 'ended b'],
  ])
})
