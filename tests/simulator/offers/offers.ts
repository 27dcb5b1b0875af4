import { z } from 'zod'
import { ApiError, badRequest } from '../api-error.ts'
import { type Endpoint, keyedEndpoint, noParams, noQuery } from '../endpoint.ts'
import { compareBy, conditionsShape, fits, parseFilters } from './filters.ts'
import { OFFER_FIELDS } from './offer-fields.ts'
import type { OfferRecord } from './offer-records.ts'

/** The market: which offers there are, and which of them somebody has. */
export interface Offers {
  all(): readonly OfferRecord[]
  /** Takes an offer off the market; refuses one that does not exist or that is taken. */
  rent(id: number): OfferRecord
  /** Puts it back. */
  release(id: number): void
  /** Changes fields of an offer, as its host does; refuses what no search knows, and values of another type. */
  change(id: number, fields: Readonly<Record<string, unknown>>): void
}

export function createOffers(records: readonly OfferRecord[]): Offers {
  const offers = new Map(records.map((record) => [record.id, record]))
  const setRented = (record: OfferRecord, rented: boolean): void => {
    offers.set(record.id, { ...record, rented, rentable: !rented })
  }
  const find = (id: number): OfferRecord => {
    const offer = offers.get(id)
    if (offer === undefined) throw new ApiError(404, 'no_such_ask', `there is no offer ${String(id)}`)
    return offer
  }
  return {
    all: () => [...offers.values()],
    rent(id) {
      const offer = find(id)
      if (!offer.rentable)
        throw new ApiError(400, 'no_such_ask', `offer ${String(id)} is no longer available`)
      setRented(offer, true)
      return offer
    },
    release(id) {
      const offer = offers.get(id)
      if (offer !== undefined) setRented(offer, false)
    },
    change(id, fields) {
      const offer = find(id)
      for (const [field, value] of Object.entries(fields)) {
        const type = field === 'id' ? undefined : OFFER_FIELDS.get(field)
        if (type === undefined) throw badRequest(`body.${field}: there is no such field to change`)
        if (value !== null && !fits(value, type)) throw badRequest(`body.${field}: expected ${type} or null`)
      }
      offers.set(id, { ...offer, ...fields })
    },
  }
}

/** Each sorts the whole market once. */
const MOST_ORDER_PAIRS = 16

/** What is not named here is a filter (service API 4.3). */
const searchBody = z
  .object({
    order: z
      .array(z.tuple([z.string(), z.enum(['asc', 'desc'])]))
      .max(MOST_ORDER_PAIRS)
      .optional(),
    /** The value for interruptible pricing is not shown in the API, so it is refused. */
    type: z.literal('on-demand').optional(),
    limit: z.int().positive().optional(),
  })
  .catchall(conditionsShape)

/** The offer search (service API 4.3). */
export function offerEndpoints(offers: Offers): readonly Endpoint[] {
  return [
    keyedEndpoint({
      method: 'POST',
      path: '/api/v0/bundles/',
      access: 'misc',
      params: noParams,
      query: noQuery,
      body: searchBody,
      answer({ body: { order = [], type: _pricing, limit, ...filters } }) {
        const isWanted = parseFilters('body', filters, OFFER_FIELDS)
        const found = offers.all().filter(isWanted)
        for (const [index, [field, direction]] of [...order.entries()].reverse()) {
          if (!OFFER_FIELDS.has(field)) {
            throw badRequest(`body.order.${String(index)}: there is no field ${field} to order by`)
          }
          // Array.prototype.sort is stable, so the pair that weighs most is sorted by last.
          found.sort(compareBy(field, direction))
        }
        return { offers: found.slice(0, limit) }
      },
    }),
  ]
}
