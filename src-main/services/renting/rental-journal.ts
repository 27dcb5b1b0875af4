import { z } from 'zod'
import { rentalNotice } from '../../domain/instances/instance.ts'

/**
 * The renting journal: what was about to be sent, written before it is sent, and what became of it. An
 * intent without an end is a rental whose reply was lost or that a crash interrupted. Holds no secret:
 * neither the start script nor any key.
 */
export const rentalEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('intent'),
    id: z.string(),
    offerId: z.number().int(),
    /** Milliseconds since the epoch. */
    at: z.number(),
    /** Instances that were there before. */
    knownIds: z.array(z.number().int()).readonly(),
    /** There were records that could not be read: what is new afterwards may have been there. */
    mayKnowLess: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('rented'), id: z.string(), instanceId: z.number().int(), at: z.number() }),
  /** The service said no, or was never reached: nothing was rented. */
  z.object({ kind: z.literal('not-rented'), id: z.string(), at: z.number() }),
  /** What the list told about a lost reply. */
  z.object({
    kind: z.literal('settled'),
    id: z.string(),
    at: z.number(),
    outcome: rentalNotice.shape.outcome,
  }),
  z.object({ kind: z.literal('dismissed'), id: z.string(), at: z.number() }),
])
export type RentalEntry = z.infer<typeof rentalEntry>
export type RentalIntent = Extract<RentalEntry, { kind: 'intent' }>

export interface OpenRental {
  readonly intent: RentalIntent
  /** `null` while it is not known what became of it. */
  readonly outcome: Extract<RentalEntry, { kind: 'settled' }>['outcome'] | null
}

/** The rentals that still have something to tell: unsettled ones, and settled ones not dismissed yet. */
export function openRentals(entries: readonly RentalEntry[]): OpenRental[] {
  const open = new Map<string, OpenRental>()
  for (const entry of entries) {
    switch (entry.kind) {
      case 'intent':
        open.set(entry.id, { intent: entry, outcome: null })
        break
      case 'settled': {
        const rental = open.get(entry.id)
        if (rental) open.set(entry.id, { ...rental, outcome: entry.outcome })
        break
      }
      case 'rented':
      case 'not-rented':
      case 'dismissed':
        open.delete(entry.id)
        break
    }
  }
  return [...open.values()]
}
