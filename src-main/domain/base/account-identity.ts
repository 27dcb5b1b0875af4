/** What an account is, whichever key it is used with. */
export interface AccountIdentity {
  readonly serviceAddress: string
  /** The service's own id of the account. */
  readonly userId: number
}

/**
 * Whose rentals they are: the account at its service. Not the key, which may be another one at the next start,
 * when what was left open must still be found.
 */
export function ownerOf({ serviceAddress, userId }: AccountIdentity): string {
  return `${userId} at ${serviceAddress}`
}
