import { assertNever } from '#domain/base/assert-never.ts'
import type { RentalNotice } from '#domain/instances/instance.ts'
import type { Statement } from '#ui/tone.ts'

export interface RentalNoticeText extends Statement {
  /** The instances it speaks of, to be linked to. */
  readonly instanceIds: readonly number[]
}

/** Tells what became of a rental whose reply was lost. */
export function rentalNoticeText({ offerId, outcome }: RentalNotice): RentalNoticeText {
  switch (outcome.kind) {
    case 'adopted':
      return {
        tone: 'good',
        title: `Offer ${offerId} was rented`,
        text: `The service’s reply was lost, but the machine is there as instance ${outcome.instanceId} and is charged.`,
        instanceIds: [outcome.instanceId],
      }
    case 'ambiguous':
      return {
        tone: 'warning',
        title: `Offer ${offerId} may have been rented`,
        text:
          `The service’s reply was lost, and more than one instance is new: ${outcome.instanceIds.join(', ')}. ` +
          'Each of them is charged. Destroy what is not yours to keep.',
        instanceIds: outcome.instanceIds,
      }
    case 'nothing-created':
      return {
        tone: 'neutral',
        title: `Offer ${offerId} was not rented`,
        text: 'The service’s reply was lost, and no new instance has appeared. Nothing is charged; you can rent again.',
        instanceIds: [],
      }
    case 'checking':
      return {
        tone: 'busy',
        title: `Offer ${offerId} may have been rented`,
        text: 'The service’s reply was lost. Slipway is finding out what became of it: do not rent it again yet.',
        instanceIds: [],
      }
    default:
      return assertNever(outcome)
  }
}
