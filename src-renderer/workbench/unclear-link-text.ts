/** What a link that leads to no one account means, in three parts. */
export function unclearLinkText({
  id,
  accounts,
  unknown,
}: {
  readonly id: number
  readonly accounts: readonly string[]
  /** Names of accounts whose list is not known. */
  readonly unknown: readonly string[]
}): { readonly title: string; readonly meaning: string; readonly nextStep: string } {
  if (accounts.length > 0)
    return {
      title: `Several accounts have an instance ${id}`,
      meaning: 'A link named this instance, and not whose it is. Nothing was done with it.',
      nextStep: 'Choose the account in which to look at it.',
    }
  return {
    title: `No account here has instance ${id}`,
    meaning:
      unknown.length === 0
        ? 'A link named it, but no connected account lists it. It may be destroyed, or someone else’s. Nothing was done.'
        : `A link named it. Slipway doesn’t know yet which instances these accounts have: ${unknown.join(', ')}. Nothing was done.`,
    nextStep:
      unknown.length === 0
        ? 'If it is yours, connect the account that it was rented with, and follow the link again.'
        : 'When the service answers, follow the link again.',
  }
}
