import { computed, shallowRef, watch, type Ref } from 'vue'
import {
  areAll,
  extendedTo,
  keptRows,
  noRows,
  toggled,
  toggledAll,
  type RowSelection,
} from '../row-selection.ts'

/** Which rows of a table are selected. What a filter hides stays selected; what is no longer there does not. */
export function useSelection<T extends { readonly id: number }>({
  all,
  isWhole = () => true,
  rows,
}: {
  readonly all: Readonly<Ref<readonly T[]>>
  /** Whether none of them is still on its way: until then, what is selected may come. */
  readonly isWhole?: () => boolean
  /** Those in the table, in its order. */
  readonly rows: Readonly<Ref<readonly T[]>>
}) {
  const selection = shallowRef<RowSelection>(noRows)
  const selected = computed(() => selection.value.ids)
  const shownIds = computed(() => rows.value.map(({ id }) => id))
  const wantedRow = shallowRef<number | null>(null)

  watch(all, () => {
    if (!isWhole()) return
    const ids = new Set(all.value.map(({ id }) => id))
    selection.value = keptRows(selection.value, (id) => ids.has(id))
  })

  return {
    selected,
    selectedRows: computed(() => all.value.filter(({ id }) => selected.value.has(id))),
    isAllSelected: computed(() => selected.value.size > 0 && areAll(selected.value, shownIds.value)),
    wantedRow,
    forgetWantedRow: () => {
      wantedRow.value = null
    },
    select: (ids: Iterable<number>) => (selection.value = { ids: new Set(ids), anchor: null }),
    toggleRow: (id: number) => {
      selection.value = toggled(selection.value, id)
    },
    extendTo: (id: number) => {
      selection.value = extendedTo(selection.value, id, shownIds.value)
    },
    toggleAllRows: () => {
      // "All" would be a part of them.
      if (isWhole()) selection.value = toggledAll(selection.value, shownIds.value)
    },
    clearSelection: () => {
      selection.value = noRows
    },
    /** Selects one row and brings it into sight. */
    show: (id: number) => {
      selection.value = { ids: new Set([id]), anchor: id }
      wantedRow.value = id
    },
  }
}
