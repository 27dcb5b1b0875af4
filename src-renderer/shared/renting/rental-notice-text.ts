import { assertNever } from '#domain/base/assert-never.ts'
import type { RentalNotice } from '#domain/instances/instance.ts'
import type { Statement } from '#ui/tone.ts'

export interface RentalNoticeText extends Statement {
  /** The instances that it names, for links. */
  readonly instanceIds: readonly number[]
}

/** Says how a rental whose reply was lost turned out. */
export function rentalNoticeText({ offerId, outcome }: RentalNotice): RentalNoticeText {
  switch (outcome.kind) {
    case 'adopted':
      return {
        tone: 'good',
        title: `Offer ${offerId} was rented`,
        text: `The reply was lost, but the list has new instance ${outcome.instanceId}. You’re charged for it.`,
        instanceIds: [outcome.instanceId],
      }
    case 'ambiguous':
      return {
        tone: 'warning',
        title: `Offer ${offerId} may have been rented`,
        text:
          `The reply was lost, and several instances are new: ${outcome.instanceIds.join(', ')}. ` +
          'You’re charged for each. Destroy any that you don’t need.',
        instanceIds: outcome.instanceIds,
      }
    case 'nothing-created':
      return {
        tone: 'neutral',
        title: `Offer ${offerId} wasn’t rented`,
        text: 'The reply was lost, and no new instance has appeared. You aren’t charged and can rent again.',
        instanceIds: [],
      }
    case 'checking':
      return {
        tone: 'busy',
        title: `Offer ${offerId} may have been rented`,
        text: 'The reply was lost. Slipway is checking the list of instances. Don’t rent this offer again yet.',
        instanceIds: [],
      }
    default:
      return assertNever(outcome)
  }
}
