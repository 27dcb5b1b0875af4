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
    { name: 'Recommended', filters: { recommended: { eq: true } }, title: 'Recommended by the service' },
    ...(userId === null
      ? []
      : ([
          { name: 'Mine', filters: { creator_id: { eq: userId } }, title: 'Created by this account' },
        ] as const)),
    { name: 'All', filters: {}, title: 'Your templates and public ones' },
  ]
}
