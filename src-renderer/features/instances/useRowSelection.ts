import { computed, ref, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue'

export interface RowSelection {
  readonly selected: Readonly<ShallowRef<ReadonlySet<number>>>
  readonly all: ComputedRef<'all' | 'some' | 'none'>
  readonly toggle: (id: number) => void
  /** From the row that was chosen last to this one. */
  readonly extendTo: (id: number) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

/** Which rows of a list are chosen, in its order. A row that goes from the list goes from the selection. */
export function useRowSelection(ids: () => readonly number[]): RowSelection {
  const selected = shallowRef<ReadonlySet<number>>(new Set())
  const anchor = ref<number | null>(null)

  watch(ids, (listed) => {
    const there = new Set(listed)
    if ([...selected.value].some((id) => !there.has(id)))
      selected.value = new Set([...selected.value].filter((id) => there.has(id)))
  })

  const all = computed(() => {
    if (selected.value.size === 0) return 'none'
    return selected.value.size === ids().length ? 'all' : 'some'
  })

  function toggle(id: number): void {
    const next = new Set(selected.value)
    if (!next.delete(id)) next.add(id)
    selected.value = next
    anchor.value = id
  }

  function extendTo(id: number): void {
    const listed = ids()
    const from = anchor.value === null ? -1 : listed.indexOf(anchor.value)
    const to = listed.indexOf(id)
    if (from < 0 || to < 0) return toggle(id)
    const range = listed.slice(Math.min(from, to), Math.max(from, to) + 1)
    selected.value = new Set([...selected.value, ...range])
  }

  function selectAll(): void {
    selected.value = new Set(ids())
  }

  function clear(): void {
    selected.value = new Set()
    anchor.value = null
  }

  return { selected, all, toggle, extendTo, selectAll, clear }
}
