import { rentalRefused } from '../../domain/base/problem.ts'
import type { OfferQuery } from '../../domain/offers/offer.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import type { KnownRequest, RentOptions } from '../../domain/renting/rent-request.ts'
import { knownRequestOf, newerOf, openOrder, type Orders } from './orders.ts'
import type { Retries, RetryOrder } from './retries.ts'
import { cheapestOffer } from './retry-offer.ts'
import type { RetryServices } from './retry-services.ts'

export interface RetryRequestsOptions {
  readonly retries: Retries
  readonly orders: Pick<Orders, 'of'>
  /** @throws ProblemError rental-refused */
  readonly bodyOf: (options: RentOptions) => RentBody
  /** `null`: the seal can't be broken any more. @throws ProblemError keychain-locked */
  readonly unseal: (sealed: string) => Promise<string | null>
  readonly search: RetryServices['search']
  readonly isBlocked: RetryServices['isBlocked']
}

type Begun<K extends 'begin' | 'replace'> = Omit<Parameters<Retries[K]>[0], 'body'>

type CheapestOrder = Pick<RetryOrder, 'query' | 'plan'> & {
  readonly id: string
  readonly options: RentOptions
  readonly signal: AbortSignal
}

const cheapestFirst: OfferQuery['order'] = [['dph_total', 'asc']]

/** What the window calls to have instances tried until one runs. */
export function createRetryRequests({
  retries,
  orders,
  bodyOf,
  unseal,
  search,
  isBlocked,
}: RetryRequestsOptions) {
  const orderOf = (instanceId: number) =>
    openOrder(newerOf(retries.orderOf(instanceId), orders.of(instanceId)), unseal)

  return {
    state: retries.state,
    begin: async ({ options, ...order }: Begun<'begin'> & { readonly options: RentOptions }) =>
      retries.begin({ ...order, body: bodyOf(options) }),
    /**
     * Begins with the cheapest offer of a search within the plan, and goes on with the next cheapest.
     *
     * @param order.id as of `Retries.begin`, and so is `signal`
     * @throws ProblemError rental-refused and others, or the signal's reason: nothing was begun then
     */
    beginCheapest: async ({ options, plan, id, signal, ...order }: CheapestOrder): Promise<void> => {
      const body = bodyOf(options)
      const query = { ...order.query, order: cheapestFirst }
      const offers = await search(query)
      const offer = cheapestOffer(offers, { plan, diskGb: body.disk ?? null, steps: [], isBlocked })
      if (offer === null) throw rentalRefused({ code: 'no-offer' })
      await retries.begin({ id, body, plan, query, offer, signal })
    },
    outcomeOf: (id: string) => retries.outcomeOf(id),
    /** What an instance was rented with, as far as this computer knows it. @throws ProblemError keychain-locked */
    requestOf: async (instanceId: number): Promise<KnownRequest | null> => {
      const order = await orderOf(instanceId)
      return order && knownRequestOf(order)
    },
    /** @param options `null`: what it was rented with */
    replace: async ({ options, ...order }: Begun<'replace'> & { readonly options: RentOptions | null }) => {
      const body = options ? bodyOf(options) : (await orderOf(order.instanceId))?.body
      if (body === undefined) throw rentalRefused({ code: 'request-unknown' })
      await retries.replace({ ...order, body })
    },
    stop: (id: string, machine: 'keep' | 'destroy') => retries.stop(id, machine),
    dismiss: (id: string) => retries.dismiss(id),
  }
}
