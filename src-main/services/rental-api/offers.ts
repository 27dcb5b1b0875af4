import { z } from 'zod'
import { offer, type Offer, type OfferQuery } from '../../domain/offers/offer.ts'
import type { Http } from './http.ts'

const reply = z.looseObject({ offers: z.array(offer) })

/** Offers that match, in the asked order (service API 4.3). Searching changes nothing, so it may be repeated. */
export async function searchOffers(http: Http, query: OfferQuery, signal?: AbortSignal): Promise<Offer[]> {
  const { filters, order, type, limit } = query
  const { offers } = await http.send({
    method: 'POST',
    path: '/api/v0/bundles/',
    body: { ...filters, order, type, limit },
    reply,
    repeatable: true,
    timeoutMs: 60_000,
    ...(signal && { signal }),
  })
  return offers
}
