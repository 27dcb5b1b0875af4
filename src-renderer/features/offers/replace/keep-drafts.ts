import { useOffersStore } from '../offers-store.ts'
import { useEnvironmentStore } from '../rent/environment-store.ts'
import { useRentStore } from '../rent/rent-store.ts'
import { useRetryStore } from '../rent/retry-store.ts'
import { useVolumeStore } from '../rent/volume-store.ts'

/**
 * What was typed for another rental, and its search: a replacement uses the same forms.
 *
 * @returns puts it back
 */
export function keepDrafts(): () => void {
  const offers = useOffersStore()
  const { draft } = offers
  const query = offers.found?.query
  const putBack = [
    kept(useRentStore(), [
      ...(['template', 'image', 'typedDisk', 'ownScript', 'typedFilters'] as const),
      ...(['keepInstanceKey', 'keyChoice'] as const),
    ]),
    kept(useEnvironmentStore(), ['view', 'rows', 'flags']),
    kept(useVolumeStore(), ['kind', 'id', 'sizeGb', 'mountPath']),
    kept(useRetryStore(), ['cap']),
  ]
  return () => {
    for (const each of putBack) each()
    if (query !== undefined) {
      offers.load(query)
      void offers.search()
    }
    offers.edit(draft)
  }
}

function kept<S>(store: S, keys: readonly (keyof S)[]): () => void {
  const values = keys.map((key) => [key, store[key]] as const)
  return () => {
    for (const [key, value] of values) store[key] = value
  }
}
