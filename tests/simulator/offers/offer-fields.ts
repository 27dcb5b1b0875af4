import { type FieldType, fieldTypesOf } from './filters.ts'
import { createOfferRecords } from './offer-records.ts'
import { createRandom } from '../random.ts'

/** So many offers show every field, with a value in it. */
const ENOUGH = 200

/** By what offers can be searched and ordered: every field that holds plain values, however small the market is. */
export const OFFER_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ...fieldTypesOf(createOfferRecords(ENOUGH, createRandom(0), 0)),
  // Those that the API says are integers (service API 4.3).
  ['id', 'integer'],
  ['num_gpus', 'integer'],
  ['direct_port_count', 'integer'],
])
