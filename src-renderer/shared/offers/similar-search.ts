import { fieldOf, knownNumber, knownText, type FieldRecord } from '#domain/fields/field-format.ts'
import { defaultOfferQuery, type OfferQuery } from '#domain/offers/offer.ts'

/** What finds machines like the one of an instance, as far as its record names it. */
export function similarSearch(record: FieldRecord): OfferQuery {
  const model = knownText(fieldOf(record, 'gpu_name'))
  const many = knownNumber(fieldOf(record, 'num_gpus'))
  const filters = {
    ...defaultOfferQuery.filters,
    ...(model !== null && { gpu_name: { eq: model } }),
    ...(many !== null && { num_gpus: { eq: many } }),
  }
  return { ...defaultOfferQuery, filters }
}
