import { z } from 'zod'
import { offer, offerQuery } from '../domain/offer.ts'
import { procedure } from './base.ts'

export const offers = {
  search: procedure.input(offerQuery).output(
    z.object({
      offers: z.array(offer).readonly(),
      /** When the service answered, ms since the epoch. */
      at: z.number(),
    }),
  ),
}
