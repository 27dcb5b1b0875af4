import { expect, test } from 'vitest'
import type { z } from 'zod'
import { seenCloud, seenOffers, seenTemplates, seenTwoFactor, seenUser } from '#domain/last-seen/last-seen.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { LastSeen, lastSeenFile } from '#services/last-seen/last-seen-file.ts'
import { createNotes, questionOf } from '#services/last-seen/notes.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'

function setUp() {
  const clock = new FakeClock()
  const open = <T>(content: z.ZodType<T>, most = 1) =>
    new LastSeen<T>({
      file: memoryFile(lastSeenFile(content).fallback),
      most,
      clock,
      log: memoryLog(),
    })
  const seen = {
    account: open(seenUser),
    twoFactor: open(seenTwoFactor),
    templates: open(seenTemplates, 6),
    cloud: open(seenCloud),
    offers: open(seenOffers),
  }
  return { clock, seen, notes: createNotes({ ...seen, clock }) }
}
const template = { id: 1, hash_id: 'h', name: 'mine', image: 'ubuntu', env: '-e TOKEN=canary' }

test('of a search for templates what it found is kept under its filters, without variables', () => {
  const { seen, notes } = setUp()
  const filters = { recommended: { eq: true } }
  notes.noteTemplates(filters, { records: [template], unreadable: [{ place: 1, id: null, detail: '' }] })
  const kept = seen.templates.find(questionOf(filters))
  expect(kept?.content).toMatchObject({ templates: [{ id: 1, name: 'mine' }], total: 2 })
  expect(JSON.stringify(kept)).not.toContain('canary')
})

test('a search for one template, letter by letter, takes the place of none', () => {
  const { seen, notes } = setUp()
  const filters = { name: { eq: 'mi' } }
  notes.noteTemplates(filters, { records: [template], unreadable: [] })
  expect(seen.templates.find(questionOf(filters))).toBeNull()
})

test('of the last search for offers its query and its answer are kept, with the time of the answer', () => {
  const { seen, notes } = setUp()
  notes.noteOffers(defaultOfferQuery, { records: [{ id: 7 }], unreadable: [], at: 5 })
  expect(seen.offers.find()).toMatchObject({
    seenAt: 5,
    content: { query: defaultOfferQuery, offers: [{ id: 7 }], total: 1 },
  })
})
