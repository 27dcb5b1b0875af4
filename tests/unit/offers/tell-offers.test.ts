import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Offer } from '#domain/offers/offer.ts'
import {
  awayWorthTellingMs,
  fallWorthTelling,
  mostTold,
  tellOffers,
  type Look,
  type ToldOffer,
} from '#services/offers/tell-offers.ts'

/** A look that has these offers, id to price, and nothing else is offered. */
const look = (
  prices: Readonly<Record<number, number | null>>,
  wholeUpToUsd: number | null = Infinity,
): Omit<Look, 'at'> => {
  const offers = Object.entries(prices).map(([id, usd]): Offer => ({ id: Number(id), dph_total: usd }))
  return { offers, present: new Set(offers.map(({ id }) => id)), wholeUpToUsd }
}

/** Which offers each look tells. */
function told(
  looks: readonly Omit<Look, 'at'>[],
  apartMs = awayWorthTellingMs,
): readonly (readonly number[])[] {
  let before: readonly ToldOffer[] = []
  return looks.map((one, index) => {
    const { news, told: after } = tellOffers(before, { ...one, at: index * apartMs }, 0.5)
    before = after
    return news.map(({ offerId }) => offerId)
  })
}

test('an offer at or below the price is told once', () => {
  expect(told([look({ 1: 0.5, 2: 0.51, 3: 0.2 }), look({ 1: 0.5, 2: 0.51, 3: 0.2 })])).toEqual([[1, 3], []])
})

test('an offer without a price is told to nobody', () => {
  expect(told([look({ 1: null })])).toEqual([[]])
})

test('one that went away and came back is told again', () => {
  expect(told([look({ 1: 0.4 }), look({}), look({ 1: 0.4 })])).toEqual([[1], [], [1]])
})

test('one that is out of a look or two isn’t told again, as often as that happens', () => {
  const comesAndGoes = Array.from({ length: 12 }, (_, index) => look(index % 2 === 0 ? { 1: 0.4 } : {}))
  expect(told(comesAndGoes, 60_000).flat()).toEqual([1])
})

test('one that is back above the price is told once it falls to it', () => {
  expect(told([look({ 1: 0.4 }), look({}), look({ 1: 0.6 }), look({ 1: 0.4 })])).toEqual([[1], [], [], [1]])
})

test('one that became more expensive for a while was there all the time', () => {
  expect(told([look({ 1: 0.4 }), look({ 1: 0.6 }), look({ 1: 0.4 })])).toEqual([[1], [], []])
})

test('a price that falls clearly is told, a little at a time only once it adds up', () => {
  expect(told([look({ 1: 0.4 }), look({ 1: 0.39 }), look({ 1: 0.38 }), look({ 1: 0.37 })])).toEqual([
    [1],
    [],
    [1],
    [],
  ])
})

test('what may be beyond the end of a list that is cut off has not gone', () => {
  expect(told([look({ 1: 0.4 }), look({ 2: 0.3 }, 0.3), look({ 1: 0.4, 2: 0.3 })])).toEqual([[1], [2], []])
  expect(told([look({ 1: 0.2 }), look({ 2: 0.3 }, 0.3), look({ 1: 0.2, 2: 0.3 })])).toEqual([[1], [2], [1]])
})

test('while a record can’t be read, nothing has gone', () => {
  expect(told([look({ 1: 0.4 }), look({}, null), look({ 1: 0.4 })])).toEqual([[1], [], []])
})

const looks = fc.array(
  fc.dictionary(
    fc.integer({ min: 1, max: 40 }).map(String),
    fc.integer({ min: 1, max: 100 }).map((cents) => cents / 100),
  ),
  { maxLength: 30 },
)

test('whatever comes: only what is cheap enough is told, and nothing twice at about the same price while it’s there', () => {
  fc.assert(
    fc.property(looks, (all) => {
      let before: readonly ToldOffer[] = []
      /** At which price each offer that is still there was told last. */
      const last = new Map<number, number>()
      for (const [index, prices] of all.entries()) {
        const { news, told: after } = tellOffers(
          before,
          { ...look(prices), at: index * awayWorthTellingMs },
          0.5,
        )
        before = after
        for (const id of [...last.keys()]) if (prices[id] === undefined) last.delete(id)
        for (const { offerId, usd } of news) {
          expect(usd).toBe(prices[offerId])
          expect(usd).toBeLessThanOrEqual(0.5)
          expect(usd).toBeLessThanOrEqual((last.get(offerId) ?? Infinity) * (1 - fallWorthTelling))
          last.set(offerId, usd)
        }
        // And all that is cheap enough has been told.
        for (const [id, usd] of Object.entries(prices))
          if (usd <= 0.5) expect(last.has(Number(id))).toBe(true)
      }
    }),
  )
})

test('memory is bounded, and what is there is remembered before what has gone', () => {
  const gone = {
    ...look(Object.fromEntries(Array.from({ length: mostTold }, (_, index) => [index + 1, 0.1]))),
    at: 0,
  }
  const there = {
    ...look(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [1000 + index, 0.1]))),
    at: awayWorthTellingMs,
  }
  const first = tellOffers([], gone, 0.5)
  const second = tellOffers(first.told, there, 0.5)
  expect(second.told).toHaveLength(mostTold)
  expect(tellOffers(second.told, there, 0.5).news).toEqual([])
})
