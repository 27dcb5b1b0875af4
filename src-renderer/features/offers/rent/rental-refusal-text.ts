import { assertNever } from '#domain/base/assert-never.ts'
import type { RentalRefusal } from '#domain/base/rental-refusal.ts'
import { formatNumber } from '#ui/format.ts'
import { unchanged } from '#ui/problems/attempt.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

const nothingRented = unchanged('rent')
const nothingReplaced = 'Nothing was destroyed or rented.'

/** Why Slipway itself rents nothing, in words. */
export function rentalRefusalText(reason: RentalRefusal): ProblemText {
  switch (reason.code) {
    case 'no-ssh-key':
      return {
        title: 'No SSH key yet',
        meaning: `This computer has no SSH key to add to the instance. ${nothingRented}`,
        nextStep: 'Create an SSH key, or turn “Add my SSH key to the machine” off.',
      }
    case 'script-too-long':
      return {
        title: 'The start script is too long',
        meaning: `Compressed, it has ${formatNumber(reason.characters)} characters. The limit is ${formatNumber(reason.limit)}. ${nothingRented}`,
        nextStep: 'Shorten the script, or have it download the rest.',
      }
    case 'retry-running':
      return {
        title: 'Auto-retry is already running',
        meaning: `Slipway runs one auto-retry at a time. ${nothingRented}`,
        nextStep: 'Wait until it ends, or stop it in Instances.',
      }
    case 'price-above-highest':
      return {
        title: 'The price isn’t within your highest price',
        meaning: `The offer costs more, or names no price for its disk. Auto-retry rents only offers within your price. ${nothingRented}`,
        nextStep: 'Enter a higher price, or choose another offer.',
      }
    case 'retry-creates-volume':
      return {
        title: 'Auto-retry can’t create a volume',
        meaning: `Each attempt would create one, and you may be charged for each. ${nothingRented}`,
        nextStep: 'Choose an existing volume or “No volume”, or turn auto-retry off.',
      }
    case 'auto-rent-running':
      return {
        title: 'Auto-rent is already on for this search',
        meaning: nothingRented,
        nextStep: 'Stop it under Saved, then turn it on again.',
      }
    case 'search-changed':
      return {
        title: 'The saved search was changed, or isn’t watched anymore',
        meaning: nothingRented,
        nextStep: 'Close this, then watch the search again.',
      }
    case 'auto-rent-creates-volume':
      return {
        title: 'Auto-rent can’t create a volume',
        meaning: `Each instance would create one, and you may be charged for each. ${nothingRented}`,
        nextStep: 'Choose an existing volume or “No volume”.',
      }
    case 'auto-rent-other-pricing':
      return {
        title: 'Auto-rent works with on-demand pricing only',
        meaning: `This search shows prices of another type. ${nothingRented}`,
        nextStep: 'Change the pricing type of the search, then save it.',
      }
    case 'called-off':
      return {
        title: 'The rental was canceled',
        meaning: `Auto-rent was stopped, or its offer was out of date. ${nothingRented}`,
        nextStep: 'Turn auto-rent on again if you still want it.',
      }
    case 'no-offer':
      return {
        title: 'No offer to rent instead',
        meaning: `No offer of this search is within the highest price. ${nothingReplaced}`,
        nextStep: 'Enter a higher price, or select “Change the search”.',
      }
    case 'request-unknown':
      return {
        title: 'The instance’s request is no longer saved',
        meaning: `Slipway doesn’t know what to rent instead. ${nothingReplaced}`,
        nextStep: 'Enter the request, then try again.',
      }
    case 'list-unreadable':
      return {
        title: 'Part of the list of instances is unreadable',
        meaning: `Slipway couldn’t tell when the instance is gone. ${nothingReplaced}`,
        nextStep: 'Try again later, or destroy the instance and rent an offer yourself.',
      }
    case 'not-listed':
      return {
        title: `Instance ${reason.instanceId} is no longer in the list`,
        meaning: nothingReplaced,
        nextStep: 'Rent an offer instead.',
      }
    case 'not-dead':
      return {
        title: `Instance ${reason.instanceId} may run again`,
        meaning: `It’s no longer listed as exited, offline, or without a heartbeat. ${nothingReplaced}`,
        nextStep: 'Check its state in Instances.',
      }
    default:
      return assertNever(reason)
  }
}
