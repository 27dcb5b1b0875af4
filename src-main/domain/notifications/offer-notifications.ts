import { counted } from '../base/plural.ts'
import { formatUsdPerHour } from '../money/money.ts'
import { searchPath } from '../offers/offer-lists.ts'
import type { AutoRentOutcome } from '../renting/auto-rent.ts'
import type { Notification } from './notification.ts'

/** What a look at a watched search found at or below its price. */
export function offersFoundNotification(
  { searchId, name }: { readonly searchId: string; readonly name: string },
  {
    offers,
    lowestUsd,
    tellUsd,
  }: { readonly offers: number; readonly lowestUsd: number; readonly tellUsd: number },
): Notification {
  return {
    kind: 'offers',
    title: `${counted(offers, 'offer')} at or below ${formatUsdPerHour(tellUsd)}`,
    body: `Lowest price: ${formatUsdPerHour(lowestUsd)}. Search: ${name}`,
    instanceId: null,
    path: searchPath(searchId),
  }
}

/** @param perHourUsd with its disk, as the offer said; `null` when it said nothing */
export function autoRentedNotification(
  instanceId: number,
  perHourUsd: number | null,
  rented: number,
  most: number,
): Notification {
  const price = perHourUsd === null ? '' : ` at ${formatUsdPerHour(perHourUsd)}`
  const last = rented >= most ? ' Auto-rent is off now.' : ''
  return {
    kind: 'offers',
    title: `Instance ${instanceId} rented automatically${price}`,
    body: `${rented} of ${counted(most, 'instance')} rented.${last} You’re charged until you destroy it.`,
    instanceId,
    path: `/instances/${instanceId}`,
  }
}

/** What ended an automatic rental, and what that means; `null`: it ended as its user wanted and knows. */
export function autoRentEndedNotification(outcome: AutoRentOutcome): Notification | null {
  const ended = (title: string, body: string, path = '/offers'): Notification => ({
    ...{ kind: 'trouble', title, body, path },
    instanceId: null,
  })
  switch (outcome.kind) {
    case 'complete':
    case 'stopped':
      return null
    case 'search-changed':
      return ended(
        'Auto-rent is off',
        'Its saved search was changed or deleted, or isn’t watched anymore. Slipway rents nothing more.',
      )
    case 'low-credit':
      return ended(
        'Auto-rent is off because credit is low',
        'Slipway rents nothing more. You’re still charged for what it rented. Add credit, then turn auto-rent on again.',
      )
    case 'request-lost':
      return ended(
        'Auto-rent is off',
        'What to rent was lost in the restart, for want of a keychain. Slipway rents nothing more.',
      )
    case 'ambiguous':
      return ended(
        'A rental needs your decision',
        'Its reply was lost, and more than one instance is new. You may be charged for each. Auto-rent is off.',
        '/instances',
      )
    case 'refused':
      return ended(
        'Auto-rent is off because the service refused to rent',
        'Slipway rents nothing more. You’re still charged for what it rented before.',
      )
  }
}
