import type { RentalNotice } from '../../domain/instances/instance.ts'
import type { RentalEntry } from './rental-journal.ts'

/** What has become of one rental, by its journal. */
export type RentalOutcome =
  /** There is no intent, and without one nothing is sent. */
  | { readonly kind: 'never-sent' }
  /** The service said no. */
  | { readonly kind: 'not-rented' }
  | { readonly kind: 'rented'; readonly instanceId: number }
  /** Its reply was lost. */
  | RentalNotice['outcome']

export function rentalOutcome(entries: readonly RentalEntry[], rentalId: string): RentalOutcome {
  let outcome: RentalOutcome = { kind: 'never-sent' }
  for (const entry of entries) {
    if (entry.id !== rentalId) continue
    switch (entry.kind) {
      case 'intent':
        outcome = { kind: 'checking' }
        break
      case 'rented':
        outcome = { kind: 'rented', instanceId: entry.instanceId }
        break
      case 'not-rented':
        outcome = { kind: 'not-rented' }
        break
      case 'settled':
        outcome = entry.outcome
        break
      // What was told is dismissed, and stays true.
      case 'dismissed':
        break
    }
  }
  return outcome
}
