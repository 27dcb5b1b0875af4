import { z } from 'zod'

/** A machine for rent (service API 2.4). Only `id` is promised; every other field is shown as it comes. */
export const offer = z.looseObject({ id: z.number().int() })
export type Offer = z.infer<typeof offer>

/**
 * A search for offers in the service's own shape (service API 4.3): a filter maps an operator to a value.
 * `on-demand` is the only documented type.
 */
export const offerQuery = z.object({
  filters: z.object({
    verified: z.object({ eq: z.boolean() }).optional(),
    rentable: z.object({ eq: z.boolean() }).optional(),
    gpu_name: z.object({ eq: z.string().min(1) }).optional(),
    num_gpus: z.object({ eq: z.number().int().min(1) }).optional(),
    direct_port_count: z.object({ gte: z.number().int().min(0) }).optional(),
  }),
  order: z.array(z.tuple([z.string().min(1), z.enum(['asc', 'desc'])])),
  type: z.literal('on-demand'),
  limit: z.number().int().min(1).max(10_000),
})
export type OfferQuery = z.infer<typeof offerQuery>

/** What most people want first: verified and rentable, reachable over SSH, most performance for the money. */
export const defaultOfferQuery: OfferQuery = {
  filters: { verified: { eq: true }, rentable: { eq: true }, direct_port_count: { gte: 1 } },
  order: [['dlperf_per_dphtotal', 'desc']],
  type: 'on-demand',
  limit: 100,
}
