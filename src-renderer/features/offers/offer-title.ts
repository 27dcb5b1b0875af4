import { fieldOf, knownNumber, knownText } from '#domain/fields/field-format.ts'
import type { Offer } from '#domain/offers/offer.ts'

/** What a person calls the machine: `2 × RTX 4090`. */
export function offerTitle(offer: Offer): string {
  const model = knownText(fieldOf(offer, 'gpu_name')) ?? 'a machine'
  const many = knownNumber(fieldOf(offer, 'num_gpus'))
  return many === null ? model : `${many} × ${model}`
}
