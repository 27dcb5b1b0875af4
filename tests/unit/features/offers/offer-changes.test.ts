import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  firstAnswer,
  laterAnswer,
  withoutChanges,
} from '../../../../src-renderer/features/offers/offer-changes.ts'
import type { Offer } from '#domain/offers/offer.ts'

const offer = (id: number, price?: number): Offer => ({
  id,
  ...(price !== undefined && { dph_total: price }),
})
const ids = (offers: readonly Offer[]): number[] => offers.map(({ id }) => id)

test('the first answer has no marks, and an id only once', () => {
  const seen = firstAnswer([offer(1, 1), offer(2, 1), offer(1, 3)])
  expect(ids(seen.offers)).toEqual([1, 2])
  expect(seen.changes.size).toBe(0)
})

test('what is new, dearer, cheaper or gone is marked, and what has gone stays where it was', () => {
  const seen = laterAnswer(firstAnswer([offer(1, 1), offer(2, 1), offer(3, 1), offer(4)]), [
    offer(5, 9),
    offer(1, 1.5),
    offer(3, 1),
    offer(4, 2),
  ])
  expect(ids(seen.offers)).toEqual([5, 1, 2, 3, 4])
  expect(Object.fromEntries(seen.changes)).toEqual({
    5: { kind: 'new' },
    1: { kind: 'price', beforeUsd: 1, afterUsd: 1.5 },
    2: { kind: 'gone' },
  })
})

test('marks add up until they are cleared; an offer that comes back is as it was', () => {
  const start = firstAnswer([offer(1, 1), offer(2, 2)])
  const later = laterAnswer(laterAnswer(start, [offer(1, 1.2)]), [offer(1, 1.4), offer(2, 2)])
  expect(Object.fromEntries(later.changes)).toEqual({ 1: { kind: 'price', beforeUsd: 1, afterUsd: 1.4 } })
  const cleared = withoutChanges(laterAnswer(later, [offer(2, 2)]))
  expect(ids(cleared.offers)).toEqual([2])
  expect(laterAnswer(cleared, [offer(2, 2)]).changes.size).toBe(0)
})

test('nothing that was in sight vanishes, and nothing is there twice', () => {
  const answer = fc
    .uniqueArray(fc.integer({ min: 1, max: 30 }))
    .map((numbers) => numbers.map((id) => offer(id, 1)))
  fc.assert(
    fc.property(answer, answer, answer, (first, second, third) => {
      const seen = laterAnswer(laterAnswer(firstAnswer(first), second), third)
      const shown = ids(seen.offers)
      expect(new Set(shown).size).toBe(shown.length)
      expect(new Set(shown)).toEqual(new Set([...ids(first), ...ids(second), ...ids(third)]))
      expect(shown.filter((id) => seen.changes.get(id)?.kind !== 'gone')).toEqual(ids(third))
    }),
  )
})
