import { backupCodeCount, type MethodKind, type TfaStatus } from './tfa.ts'

/** A confirm-new whose end is not written: its reply was lost, or Slipway ended. */
export interface OpenConfirm {
  readonly method: MethodKind
  /** The account's methods before it. */
  readonly knownIds: readonly number[]
  /** When it was sent, ms. */
  readonly at: number
}

/** How long a request may still be at work at the service after it was sent, in ms. */
const settledAfterMs = 30_000

export type ConfirmFate =
  { readonly kind: 'added'; readonly methodId: number } | { readonly kind: 'not-added' | 'undecided' }

/** What the account's methods say about it; `askedAt` is when they were asked for. */
export function fateOfConfirm(
  { method, knownIds, at }: OpenConfirm,
  { methods }: Pick<TfaStatus, 'methods'>,
  askedAt: number,
): ConfirmFate {
  const added = methods.findLast((each) => each.method === method && !knownIds.includes(each.id))
  if (added !== undefined) return { kind: 'added', methodId: added.id }
  return { kind: askedAt - at >= settledAfterMs ? 'not-added' : 'undecided' }
}

/**
 * Whether a lost regenerate replaced the codes, as the count tells: one that rose to 10 shows that it did; one
 * that is as low as before, that it did not. `null`: it was 10 before, so that it tells nothing.
 */
export function wereCodesReplaced(countBefore: number, countNow: number): boolean | null {
  if (countBefore >= backupCodeCount) return null
  return countNow >= backupCodeCount
}
