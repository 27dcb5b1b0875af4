import { z } from 'zod'
import { filters } from '../fields/filter.ts'

/** A machine for rent (service API 2.4). Only `id` is promised; every other field is shown as it comes. */
export const offer = z.looseObject({ id: z.number().int() })
export type Offer = z.infer<typeof offer>

/** What stands beside the filters in the body of a search, so that no filter can have these names. */
const reservedNames: readonly string[] = ['order', 'type', 'limit']

export function isReservedName(field: string): boolean {
  return reservedNames.includes(field)
}

/** The only type that the service's API describes (service API 4.3). */
export const onDemand = 'on-demand'

/** How many pairs a search can be ordered by. */
export const mostOrders = 20

/**
 * A search for offers in the service's own shape (service API 4.3): a filter maps an operator to a value, and
 * any field may have some.
 */
export const offerQuery = z.object({
  filters: filters.refine((named) => !Object.keys(named).some(isReservedName)),
  /** The first pair counts, the next ones decide between equals. */
  order: z.array(z.tuple([z.string().min(1), z.enum(['asc', 'desc'])])).max(mostOrders),
  type: z.string().min(1).max(100),
  limit: z.number().int().min(1).max(10_000),
})
export type OfferQuery = z.infer<typeof offerQuery>

/** What most people want first: verified and rentable, reachable over SSH, most performance for the money. */
export const defaultOfferQuery: OfferQuery = {
  filters: { verified: { eq: true }, rentable: { eq: true }, direct_port_count: { gte: 1 } },
  order: [['dlperf_per_dphtotal', 'desc']],
  type: onDemand,
  limit: 100,
}
