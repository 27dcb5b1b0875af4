import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { AutoRentPlan, AutoRentView, AutoRentWait } from '#domain/renting/auto-rent.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import { problemText } from '#ui/problems/problem-text.ts'

/** The sentences about renting automatically; short labels stand in their components. */
export const autoRentText = {
  about: 'Slipway can rent what this search finds as soon as its price is low enough, without asking again.',
  instances: 'Enter a whole number from 1 to 20.',
  instancesHelp:
    'In all, whatever becomes of them, and at most one on each machine. Then auto-rent turns off.',
  price: 'Enter a price above 0, such as 0.5.',
  cap: 'For each instance, including its disk. Slipway skips offers above this price, or without a price for their disk.',
  open: 'Slipway must be open or in the tray: it rents nothing while it’s closed or this computer sleeps.',
  extra:
    'Traffic comes on top, and a volume if you chose one. A stopped instance is still charged for its disk until you destroy it.',
  keep: 'Slipway doesn’t destroy these instances: you’re charged for each until you destroy it, also if it doesn’t start. Auto-stop rules for new instances apply.',
  ends: 'Auto-rent turns off when your credit, with the next instance, is low, at your cost limit, or when the service refuses your key. It waits while your credit is unknown, close to your cost limit, and while auto-retry runs.',
  counts:
    'If the service doesn’t reply to a rental and no list shows it, Slipway counts it as rented: it rents one fewer rather than one more.',
  onlyOnDemand:
    'Auto-rent works with on-demand pricing only. Change the pricing type of this search to use it.',
  stopping: 'Stopping: Slipway is checking the list for the last rental, and rents nothing more.',
} as const

/** What the user agrees to. */
export function mostText({ instances, capPerHourUsd }: AutoRentPlan): string {
  return `Slipway rents up to ${counted(instances, 'instance')} at up to ${formatUsdPerHour(capPerHourUsd)} each: you may be charged up to ${formatUsdPerHour(instances * capPerHourUsd)} in all.`
}

/** What it waits for. */
export const waitText: Readonly<Record<AutoRentWait, string>> = {
  'instances-unlisted':
    'Waiting: Slipway can’t read your list of instances. Check your API key’s permissions.',
  'auto-retry': 'Waiting until auto-retry ends.',
  'credit-unknown': 'Waiting: your credit is unknown. Check your API key’s permissions.',
  'limit-near': 'Waiting: your instances are close to your cost limit.',
  'last-rental': 'Waiting: Slipway is checking the list for the last rental.',
}

/** How far it is. */
export function autoRentLine({ plan, instanceIds, outcome }: AutoRentView): string {
  const rented = `${instanceIds.length} of ${counted(plan.instances, 'instance')} rented`
  return outcome === null
    ? `Auto-rent: ${rented}, at up to ${formatUsdPerHour(plan.capPerHourUsd)} each`
    : `Auto-rent is off: ${rented}`
}

/** Why it ended. */
export function outcomeText({
  outcome,
  plan,
  instanceIds,
}: AutoRentView & { readonly outcome: NonNullable<AutoRentView['outcome']> }): string {
  const unknown = plan.instances - instanceIds.length
  switch (outcome.kind) {
    case 'complete':
      if (unknown > 0)
        return `The service didn’t reply to ${counted(unknown, 'rental')}, and no list showed an instance. Slipway counts each as rented, and rents nothing more. Check Instances: you may be charged.`
      return 'As many instances as you chose are rented. You’re charged for each until you destroy it.'
    case 'stopped':
      return 'You stopped it. You’re still charged for what it rented.'
    case 'search-changed':
      return 'The search was changed or deleted, or is no longer watched. Slipway rents nothing more.'
    case 'low-credit':
      return 'With another instance, your credit would be low. Slipway rents nothing more. You’re still charged for what it rented.'
    case 'limit-reached':
      return 'Your instances have cost as much as your cost limit allows. Slipway rents nothing more, and stops them.'
    case 'record-damaged':
      return 'Part of its record is unreadable, and may say that it ended. Slipway rents nothing more. You’re still charged for what it rented.'
    case 'request-lost':
      return 'What to rent was lost in the restart, for want of a keychain. Slipway rents nothing more.'
    case 'ambiguous':
      return `A reply was lost, and these instances are new: ${outcome.instanceIds.join(', ')}. You’re charged for each. Destroy any that you don’t need.`
    case 'refused':
      return `${problemText(outcome.problem, 'rent').title}. Slipway rents nothing more. You’re still charged for what it rented before.`
    default:
      return assertNever(outcome)
  }
}
