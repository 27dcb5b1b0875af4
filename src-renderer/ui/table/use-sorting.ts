import { computed, shallowRef, type Ref } from 'vue'
import { sortedByField, type Sorting } from '#domain/fields/field-catalogue.ts'
import type { FieldRecord } from '#domain/fields/field-format.ts'

/** Rows in the order of one of their fields, or as they came. */
export function useSorting<T extends FieldRecord>(unsorted: Readonly<Ref<readonly T[]>>) {
  const sorting = shallowRef<Sorting | null>(null)
  const rows = computed(() => (sorting.value ? sortedByField(unsorted.value, sorting.value) : unsorted.value))
  /** Rising, falling, then as they came again. */
  function sortBy(field: Sorting['field']): void {
    if (sorting.value?.field.name !== field.name) sorting.value = { field, direction: 'asc' }
    else sorting.value = sorting.value.direction === 'asc' ? { field, direction: 'desc' } : null
  }
  return { rows, sorting, sortBy }
}
