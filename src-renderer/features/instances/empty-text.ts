/** A title and a text in the place of what is missing. */
interface EmptyText {
  readonly title: string
  readonly text: string
}

/**
 * In place of the list.
 *
 * @param isCurrent the service said so just now, and no rental is unsettled: else an empty list says nothing about charges
 */
export function noInstancesText(isCurrent: boolean): EmptyText {
  return {
    title: 'You have no instances',
    text: isCurrent
      ? 'You aren’t charged for anything. Find a machine in Offers.'
      : 'The last known list is empty. What you’ve just rented may not be in it yet, and you may be charged for it.',
  }
}

/**
 * In place of an instance that the list doesn't have.
 *
 * @param isCertain the list is whole and of now: only then is the instance known to be gone
 */
export function missingInstanceText(isCertain: boolean): EmptyText {
  return isCertain
    ? {
        title: 'This instance is no longer in your account',
        text: 'The service no longer lists it, so you aren’t charged for it. Its activity stays for a month.',
      }
    : {
        title: 'This instance isn’t in the list',
        text: 'The list is old or incomplete, so the instance may still exist and you may be charged for it.',
      }
}

/** Of the filter “Idle and paid”. */
export const idleFilterText =
  'No running instance is known to have idle GPUs only. Figures come from instances that you’re connected to, or from all with “Show figures of all running instances”.'
