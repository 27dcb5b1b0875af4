import { backupCodeCount, type MethodKind, type TwoFactorRecord } from '../../domain/two-factor/methods.ts'

/** A confirm-new whose end is not written: its reply was lost, or Slipway ended. */
export interface OpenConfirm {
  readonly id: string
  readonly method: MethodKind
  /** The account's methods before it. */
  readonly knownIds: readonly number[]
  /** When it was sent, ms. */
  readonly at: number
}

/** How long a request may still be at work at the service after it was sent, in ms. */
export const settledAfterMs = 30_000

export type ConfirmFate =
  { readonly kind: 'added'; readonly methodId: number } | { readonly kind: 'not-added' | 'undecided' }

/**
 * What the account's methods say about each of them, by its id. Of several that could have added the same method it was
 * the newest: when that one was sent, the method was not there.
 *
 * @param askedAt when the methods were asked for
 */
export function fatesOfConfirms(
  steps: readonly OpenConfirm[],
  { methods, unreadable }: Pick<TwoFactorRecord, 'methods' | 'unreadable'>,
  askedAt: number,
): ReadonlyMap<string, ConfirmFate> {
  const fates = new Map<string, ConfirmFate>()
  const taken = new Set<number>()
  for (const { id, method, knownIds, at } of steps.toSorted((one, other) => other.at - one.at)) {
    const added = methods.findLast(
      (each) => each.method === method && !knownIds.includes(each.id) && !taken.has(each.id),
    )
    if (added === undefined)
      // One that can't be read may be it.
      fates.set(id, {
        kind: unreadable.length === 0 && askedAt - at >= settledAfterMs ? 'not-added' : 'undecided',
      })
    else {
      taken.add(added.id)
      fates.set(id, { kind: 'added', methodId: added.id })
    }
  }
  return fates
}

/**
 * Whether a lost regenerate replaced the codes, as the count tells: one that rose to 10 shows that it did; one
 * that is as low as before, that it did not. `null`: it was 10 before, so that it tells nothing, or
 * the service did not say.
 */
export function wereCodesReplaced(countBefore: number | null, countNow: number | null): boolean | null {
  if (countBefore === null || countNow === null || countBefore >= backupCodeCount) return null
  return countNow >= backupCodeCount
}
