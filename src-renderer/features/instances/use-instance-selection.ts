import { computed, shallowRef, watch, type ComputedRef } from 'vue'
import { extendedTo, keptRows, noRows, toggled } from '#ui/row-selection.ts'

/** The selected instances of the list, and what changes which they are. */
export interface InstanceSelection {
  readonly selected: ComputedRef<ReadonlySet<number>>
  readonly all: ComputedRef<'all' | 'some' | 'none'>
  readonly toggle: (id: number) => void
  /** From the row that was chosen last to this one. */
  readonly extendTo: (id: number) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

/** Selects among the listed instances, in their order. One that goes from the list goes from the selection. */
export function useInstanceSelection(ids: () => readonly number[]): InstanceSelection {
  const selection = shallowRef(noRows)
  const selected = computed(() => selection.value.ids)
  const all = computed(() => {
    if (selected.value.size === 0) return 'none'
    return selected.value.size === ids().length ? 'all' : 'some'
  })

  watch(ids, (listed) => {
    const there = new Set(listed)
    if ([...selected.value].some((id) => !there.has(id)))
      selection.value = keptRows(selection.value, (id) => there.has(id))
  })

  return {
    selected,
    all,
    toggle: (id) => {
      selection.value = toggled(selection.value, id)
    },
    extendTo: (id) => {
      selection.value = extendedTo(selection.value, id, ids())
    },
    selectAll: () => {
      selection.value = { ...selection.value, ids: new Set(ids()) }
    },
    clear: () => {
      selection.value = noRows
    },
  }
}
