import { counted } from '../base/plural.ts'
import { formatUsdPerHour } from '../money/money.ts'
import { searchPath } from '../offers/offer-lists.ts'
import type { AutoRentOutcome } from '../renting/auto-rent.ts'
import { serviceLine } from '../rental-api/service-text.ts'
import type { Problem } from '../base/problem.ts'
import type { Notification } from './notification.ts'

/** Of what the service says, in UTF-16 units. */
const longestMessage = 120

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

/**
 * Not of the kind that tells of offers: whoever wants none of those still wants to know what they are charged for.
 *
 * @param name of the search
 */
export function autoRentedNotification(
  name: string,
  {
    instanceId,
    perHourUsd,
    rented,
    most,
  }: {
    readonly instanceId: number
    /** With its disk, at most, as the offer said; `null` when it isn't known. */
    readonly perHourUsd: number | null
    readonly rented: number
    readonly most: number
  },
): Notification {
  const price = perHourUsd === null ? '' : ` at ${formatUsdPerHour(perHourUsd)}`
  const last = rented >= most ? ' Auto-rent is off now.' : ''
  return {
    kind: 'trouble',
    title: `Instance ${instanceId} rented automatically${price}`,
    body: `${rented} of ${counted(most, 'instance')} rented.${last} You’re charged until you destroy it. Search: ${name}`,
    instanceId,
    path: `/instances/${instanceId}`,
  }
}

/**
 * What ended an automatic rental, and what that means; `null`: it ended as its user wanted and knows.
 *
 * @param name of the search
 */
export function autoRentEndedNotification(name: string, outcome: AutoRentOutcome): Notification | null {
  const ended = (title: string, body: string, path = '/offers'): Notification => ({
    ...{ kind: 'trouble', title, body: `${body} Search: ${name}`, path },
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
        'With another instance, it would be low. Slipway rents nothing more. You’re still charged for what it rented. Add credit, then turn auto-rent on again.',
      )
    case 'limit-reached':
      return ended(
        'Auto-rent is off at your cost limit',
        'Your instances have cost as much as you allow. Slipway rents nothing more, and stops them.',
      )
    case 'record-damaged':
      return null
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
        'Auto-rent is off because it can’t rent',
        `${messageOf(outcome.problem)}Slipway rents nothing more. You’re still charged for what it rented before.`,
      )
  }
}

/** What the service said, where it said something. */
function messageOf(problem: Problem): string {
  const message = 'message' in problem ? serviceLine(problem.message, longestMessage) : ''
  return message === '' ? '' : `The service replied “${message}”. `
}
