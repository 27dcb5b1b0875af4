import { z } from 'zod'
import { offer, type Offer, type OfferQuery } from '../../domain/offers/offer.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { Http } from './http.ts'
import { recordList } from './record-list.ts'

const reply = z.looseObject({ offers: recordList(offer) })

/** Offers that match, in the asked order (service API 4.3). Searching changes nothing, so it may be repeated. */
export async function searchOffers(
  http: Http,
  query: OfferQuery,
  signal?: AbortSignal,
): Promise<RecordList<Offer>> {
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
