import { z } from 'zod'
import type { Log } from '../../domain/base/log.ts'
import type { OfferQuery } from '../../domain/offers/offer.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import { nextOffers, type NextOffers } from '../../domain/renting/rent-request.ts'
import type { Journal } from '../storage/journal.ts'

/** What an instance was rented with, so that another one can take its place. The request is sealed, as an auto-retry's. */
export const orderEntry = nextOffers.extend({
  instanceId: z.number().int(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  sealedBody: z.string(),
})
export type OrderEntry = z.infer<typeof orderEntry>

/** By which an instance can be replaced. */
export interface Order {
  readonly query: OfferQuery
  readonly capPerHourUsd: number | null
  readonly sealedBody: string
}

/** More than anybody has instances; older ones are dropped at the next start. */
const most = 500

export interface OrdersOptions {
  readonly journal: Journal<OrderEntry>
  readonly seal: (text: string) => Promise<string>
  readonly now: () => number
  readonly log: Log
}

export class Orders {
  readonly #options: OrdersOptions
  #entries: readonly OrderEntry[] = []

  constructor(options: OrdersOptions) {
    this.#options = options
  }

  /** Without them, what is to be rented is asked for. */
  async open(): Promise<void> {
    const { journal, log } = this.#options
    try {
      const all = await journal.readAll()
      this.#entries = all.slice(-most)
      const oldest = this.#entries[0]?.at ?? 0
      if (all.length > most) await journal.compact(({ at }) => at >= oldest)
    } catch (error) {
      log.error('What instances were rented with could not be read', error)
    }
  }

  /** The instance is rented: that this cannot be kept stops nothing. */
  async keep(instanceId: number, body: RentBody, { query, capPerHourUsd }: NextOffers): Promise<void> {
    const { journal, seal, now, log } = this.#options
    try {
      const sealedBody = await seal(JSON.stringify(body))
      const entry = { instanceId, at: now(), query, capPerHourUsd, sealedBody }
      await journal.append(entry)
      this.#entries = [...this.#entries, entry]
    } catch (error) {
      log.error(`What instance ${instanceId} was rented with could not be kept`, error)
    }
  }

  of(instanceId: number): Order | null {
    return this.#entries.findLast((one) => one.instanceId === instanceId) ?? null
  }
}
