import type { Filters } from '#domain/fields/filter.ts'

/** A search that nobody has to put together. */
export interface ReadySearch {
  readonly name: 'Recommended' | 'Mine' | 'All'
  readonly filters: Filters
  readonly title: string
}

/** @param userId the service's id of the account; `null` while no account is connected */
export function readySearches(userId: number | null): readonly ReadySearch[] {
  return [
    { name: 'Recommended', filters: { recommended: { eq: true } }, title: 'On the service’s list' },
    ...(userId === null
      ? []
      : ([
          { name: 'Mine', filters: { creator_id: { eq: userId } }, title: 'Made by this account' },
        ] as const)),
    { name: 'All', filters: {}, title: 'Yours, and the public ones of others' },
  ]
}
