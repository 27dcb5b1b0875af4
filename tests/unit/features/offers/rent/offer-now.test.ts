import { expect, test } from 'vitest'
import { firstAnswer, laterAnswer } from '../../../../../src-renderer/features/offers/offer-changes.ts'
import type { Offer } from '#domain/offers/offer.ts'
import { offerNow } from '../../../../../src-renderer/features/offers/rent/offer-now.ts'

const shown: Offer = { id: 1, dph_base: 0.5, storage_cost: 0.073 }
const now = (change: object) => offerNow(shown, firstAnswer([{ id: 2 }, { ...shown, ...change }]), 1000)

test.each([
  ['the same', {}, 'as-shown'],
  ['cheaper', { dph_base: 0.4 }, 'as-shown'],
  ['dearer by less than what is shown', { dph_base: 0.500001 }, 'as-shown'],
  ['dearer', { dph_base: 0.6 }, 'dearer'],
  ['with a dearer disk', { storage_cost: 0.73 }, 'dearer'],
  ['without a price', { dph_base: null }, 'dearer'],
])('%s', (_, change, kind) => {
  expect(now(change).kind).toBe(kind)
})

test('a dearer offer comes with its price', () => {
  expect(now({ dph_base: 9 })).toEqual({ kind: 'dearer', offer: { ...shown, dph_base: 9 } })
})

test('what the search does not find any more is not taken for what was shown', () => {
  expect(offerNow(shown, firstAnswer([{ id: 2 }]), 8)).toEqual({ kind: 'unseen' })
  const gone = laterAnswer(firstAnswer([shown, { id: 2 }]), [{ id: 2 }])
  expect(gone.offers).toContainEqual(shown)
  expect(offerNow(shown, gone, 8)).toEqual({ kind: 'unseen' })
})
