import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import type { InstanceWatch } from '../instances/watch.ts'
import type { RentalOutcome } from './rental-outcome.ts'

/** What became of one rental; without a reply, its outcome is asked for. */
type RetryRental = { readonly kind: 'rented'; readonly instanceId: number } | { readonly kind: 'reply-lost' }

/** What an auto-retry does to the outside. */
export interface RetryServices {
  readonly watch: Pick<InstanceWatch, 'snapshot' | 'refresh' | 'limitPause' | 'repace'>
  readonly search: (query: OfferQuery) => Promise<readonly Offer[]>
  readonly rent: (offerId: number, body: RentBody, rentalId: string) => Promise<RetryRental>
  readonly fateOf: (rentalId: string) => Promise<RentalOutcome>
  readonly destroy: (id: number) => Promise<void>
  /** Offers that the user never wants. */
  readonly isBlocked: (offer: Offer) => boolean
  /** What was sealed; `null` when its key is gone. @throws ProblemError keychain-locked */
  readonly unseal: (sealed: string) => Promise<string | null>
  readonly randomId: () => string
}
