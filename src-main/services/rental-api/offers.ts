import { z } from 'zod'
import { offer, type Offer, type OfferQuery } from '../../domain/offers/offer.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { Http } from './http.ts'
import { recordList } from './record-list.ts'

/** What `offer` gives as it is: it leaves a field out that would be another prototype. */
export function isOffer(value: unknown): value is Offer {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    'id' in value &&
    Number.isSafeInteger(value.id) &&
    !Object.hasOwn(value, '__proto__')
  )
}
const reply = z.looseObject({ offers: recordList(offer, isOffer) })

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
