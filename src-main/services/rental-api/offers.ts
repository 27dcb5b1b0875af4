import { z } from 'zod'
import { offer, type Offer, type OfferQuery } from '../../domain/offers/offer.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { Http } from './http.ts'
import { recordList } from './record-list.ts'

const reply = z.looseObject({ offers: recordList(offer) })

/**
 * Offers that match, in the asked order (service API 4.3). Searching changes nothing, so it may be repeated.
 *
 * @param options.repeatable false for who comes back to it anyway, and sends one request at a time
 */
export async function searchOffers(
  http: Http,
  query: OfferQuery,
  {
    signal,
    repeatable = true,
  }: { readonly signal?: AbortSignal | undefined; readonly repeatable?: boolean } = {},
): Promise<RecordList<Offer>> {
  const { filters, order, type, limit } = query
  const { offers } = await http.send({
    method: 'POST',
    path: '/api/v0/bundles/',
    body: { ...filters, order, type, limit },
    reply,
    repeatable,
    timeoutMs: 60_000,
    ...(signal && { signal }),
  })
  return offers
}
