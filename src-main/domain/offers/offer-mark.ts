import { z } from 'zod'
import { fieldOf, type FieldRecord } from '../fields/field-format.ts'

/**
 * What a favorite or a block is about. Offers come and go, machines and their hosts stay; an offer stands for
 * itself only where the service does not say whose machine it is.
 */
export const markTarget = z.object({ kind: z.enum(['machine', 'host', 'offer']), id: z.number().int() })
export type MarkTarget = z.infer<typeof markTarget>

export const offerMark = markTarget.extend({
  /** What it was called when it was marked, such as `2 × RTX 4090, Oslo, NO`. */
  title: z.string().max(200),
  /** Milliseconds since the epoch. */
  at: z.number(),
})
export type OfferMark = z.infer<typeof offerMark>

/** What can be marked of an offer: always its machine (or itself), and its host where one is named. */
export function targetsOf(offer: FieldRecord & { readonly id: number }): {
  readonly machine: MarkTarget
  readonly host: MarkTarget | null
} {
  const machine = knownId(offer, 'machine_id')
  const host = knownId(offer, 'host_id')
  return {
    machine: machine === null ? { kind: 'offer', id: offer.id } : { kind: 'machine', id: machine },
    host: host === null ? null : { kind: 'host', id: host },
  }
}

/** Finds the mark that an offer falls under, its machine's before its host's. */
export function markFinder(
  marks: readonly OfferMark[],
): (offer: FieldRecord & { readonly id: number }) => OfferMark | null {
  const byTarget = new Map(marks.map((mark) => [keyOf(mark), mark]))
  return (offer) => {
    if (byTarget.size === 0) return null
    const { machine, host } = targetsOf(offer)
    const ofOffer = byTarget.get(keyOf({ kind: 'offer', id: offer.id }))
    return byTarget.get(keyOf(machine)) ?? ofOffer ?? (host && byTarget.get(keyOf(host))) ?? null
  }
}

export function isSameTarget(one: MarkTarget, other: MarkTarget): boolean {
  return keyOf(one) === keyOf(other)
}

function keyOf({ kind, id }: MarkTarget): string {
  return `${kind} ${id}`
}

function knownId(offer: FieldRecord, name: string): number | null {
  const id = fieldOf(offer, name)
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null
}
