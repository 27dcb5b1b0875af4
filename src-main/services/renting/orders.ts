import { z } from 'zod'
import type { Log } from '../../domain/base/log.ts'
import {
  areDifferent,
  instanceIdentity,
  unknownIdentity,
  type InstanceIdentity,
} from '../../domain/instances/instance-identity.ts'
import type { OfferQuery } from '../../domain/offers/offer.ts'
import { rentBody, type RentBody } from '../../domain/renting/rent-body.ts'
import { nextOffers, type KnownRequest, type NextOffers } from '../../domain/renting/rent-request.ts'
import type { Journal } from '../storage/journal.ts'

/** What an instance was rented with, so that another one can take its place. The request is sealed, as an auto-retry's. */
export const orderEntry = nextOffers.extend({
  instanceId: z.number().int(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** As the list had it when the order was kept. */
  identity: instanceIdentity.default(unknownIdentity),
  sealedBody: z.string(),
})
export type OrderEntry = z.infer<typeof orderEntry>

/** By which an instance can be replaced. */
export interface Order {
  readonly query: OfferQuery
  readonly capPerHourUsd: number | null
  /** When it was rented, ms since the epoch. */
  readonly at: number
  readonly sealedBody: string
}

/** The same with its request, which may hold secrets. */
export interface OpenOrder extends Order {
  readonly body: RentBody
}

/** More than anybody has instances; older ones are dropped at the next start. */
const most = 500

export interface OrdersOptions {
  readonly journal: Journal<OrderEntry>
  readonly seal: (text: string) => Promise<string>
  /** What the latest list says of an instance. */
  readonly identityOf: (instanceId: number) => InstanceIdentity
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
    const { journal, seal, identityOf, now, log } = this.#options
    try {
      const sealedBody = await seal(JSON.stringify(body))
      const identity = identityOf(instanceId)
      const entry = { instanceId, at: now(), identity, query, capPerHourUsd, sealedBody }
      await journal.append(entry)
      this.#entries = [...this.#entries, entry]
    } catch (error) {
      log.error(`What instance ${instanceId} was rented with could not be kept`, error)
    }
  }

  /** Not of another instance that the list has under its id. */
  of(instanceId: number): Order | null {
    const listed = this.#options.identityOf(instanceId)
    return (
      this.#entries.findLast((one) => one.instanceId === instanceId && !areDifferent(one.identity, listed)) ??
      null
    )
  }
}

/** An id may have been given twice: once to an auto-retry's instance, and once to a plain one. */
export function newerOf(one: Order | null, other: Order | null): Order | null {
  if (one === null || other === null) return one ?? other
  return one.at > other.at ? one : other
}

/** `null` when it isn't known, or its seal can't be broken any more. @throws ProblemError keychain-locked */
export async function openOrder(
  order: Order | null,
  unseal: (sealed: string) => Promise<string | null>,
): Promise<OpenOrder | null> {
  const text = order === null ? null : await unseal(order.sealedBody)
  return order === null || text === null ? null : { ...order, body: rentBody.parse(JSON.parse(text)) }
}

export function knownRequestOf({ query, capPerHourUsd, body }: OpenOrder): KnownRequest {
  return {
    query,
    capPerHourUsd,
    image: body.image ?? null,
    templateHashId: body.template_hash_id ?? null,
    diskGb: body.disk ?? null,
    env: Object.keys(body.env ?? {}),
    hasScript: (body.onstart ?? '') !== '',
    mountPath: body.volume_info?.mount_path ?? null,
  }
}
