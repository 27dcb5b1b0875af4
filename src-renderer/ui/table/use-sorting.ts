import { computed, shallowRef, type Ref } from 'vue'
import { sortedByValue, type Sorting } from '#domain/fields/field-catalog.ts'

/**
 * Rows in the order of one of their fields, or as they came.
 *
 * @param valueOf what a row has for the field of a name
 */
export function useSorting<T>(
  unsorted: Readonly<Ref<readonly T[]>>,
  valueOf: (row: T, name: string) => unknown,
) {
  const sorting = shallowRef<Sorting | null>(null)
  const rows = computed(() =>
    sorting.value ? sortedByValue(unsorted.value, sorting.value, valueOf) : unsorted.value,
  )
  /** Rising, falling, then as they came again. */
  function sortBy(field: Sorting['field']): void {
    if (sorting.value?.field.name !== field.name) sorting.value = { field, direction: 'asc' }
    else sorting.value = sorting.value.direction === 'asc' ? { field, direction: 'desc' } : null
  }
  return { rows, sorting, sortBy }
}
