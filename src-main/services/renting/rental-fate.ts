import type { RentalNotice } from '../../domain/instances/instance.ts'
import type { RentalEntry } from './rental-journal.ts'

/** What has become of one rental, by its journal. */
export type RentalFate =
  /** There is no intent, and without one nothing is sent. */
  | { readonly kind: 'never-sent' }
  /** The service said no. */
  | { readonly kind: 'not-rented' }
  | { readonly kind: 'rented'; readonly instanceId: number }
  /** Its reply was lost. */
  | RentalNotice['outcome']

export function rentalFate(entries: readonly RentalEntry[], rentalId: string): RentalFate {
  let fate: RentalFate = { kind: 'never-sent' }
  for (const entry of entries) {
    if (entry.id !== rentalId) continue
    switch (entry.kind) {
      case 'intent':
        fate = { kind: 'checking' }
        break
      case 'rented':
        fate = { kind: 'rented', instanceId: entry.instanceId }
        break
      case 'not-rented':
        fate = { kind: 'not-rented' }
        break
      case 'settled':
        fate = entry.outcome
        break
      // What was told is dismissed, and stays true.
      case 'dismissed':
        break
    }
  }
  return fate
}
