import { computed, nextTick, onMounted, watch, type Ref } from 'vue'
import { useRowList } from '../use-row-list.ts'
import type { TableModel } from './table-model.ts'

/** The rows in sight, and the keyboard's way through them. The keyboard stays on its row, wherever that goes. */
export function useTableRows<T extends { readonly id: number }>({
  table,
  scroller,
  rowHeightPx,
  lineHeightPx,
  subject,
}: {
  readonly table: () => TableModel<T>
  readonly scroller: Readonly<Ref<HTMLElement | null>>
  /** How high a row is likely to be. One that isn't of one line is measured when it's drawn. */
  readonly rowHeightPx: (row: T) => number
  /** Of a row of one line, and of the head. */
  readonly lineHeightPx: number
  /** Another one is looked at from its top. */
  readonly subject: () => unknown
}) {
  const ids = computed(() => table().rows.map(({ id }) => id))
  const heightPx = (index: number): number => {
    const row = table().rows[index]
    return row ? rowHeightPx(row) : lineHeightPx
  }
  const list = useRowList({
    scroller,
    ids: () => ids.value,
    rowHeightPx: heightPx,
    isMeasured: (index) => heightPx(index) !== lineHeightPx,
    headHeightPx: lineHeightPx,
  })
  const { active, moveBy, rowAt, focusRow, holdPlace } = list

  let activeId: number | null = null
  function enter(index: number): void {
    active.value = index
    activeId = table().rows[index]?.id ?? null
  }

  watch(
    () => table().rows,
    (rows) => {
      const at = rows.findIndex(({ id }) => id === activeId)
      // A row that goes takes what is in it along, too.
      const hasKeyboard = document.activeElement?.closest('[data-row]') !== null
      if (at === -1) {
        activeId = null
        if (hasKeyboard) void focusRow(active.value)
      } else if (at !== active.value) {
        active.value = at
        // A key that is about to be pressed must not meet another row than the one it was meant for.
        const row = document.activeElement
        if (row?.matches('[data-row]')) void stayOn(at, isInSight(row))
      }
    },
  )
  /** @param wasInSight else what is read is elsewhere, and stays */
  async function stayOn(index: number, wasInSight: boolean): Promise<void> {
    await nextTick()
    const row = rowAt(index)
    row?.focus({ preventScroll: true })
    if (wasInSight && row !== null && !isInSight(row)) await focusRow(index)
  }
  function isInSight(row: Element): boolean {
    const [inside, around] = [row.getBoundingClientRect(), scroller.value?.getBoundingClientRect()]
    return around !== undefined && inside.top >= around.top && inside.bottom <= around.bottom
  }

  // A list that comes anew by itself must not move what is being read. Another order is looked at where it begins.
  let putBack: (() => void) | null = null
  const shown = (): readonly [readonly T[], unknown] => [table().rows, table().sorting]
  // Before anything is drawn or measured of the new ones.
  watch(
    shown,
    ([, sorting], [before, sortedBefore]) => {
      if (sorting !== sortedBefore) putBack = null
      else putBack ??= holdPlace((index) => before[index]?.id)
    },
    { flush: 'sync' },
  )
  watch(
    shown,
    () => {
      putBack?.()
      putBack = null
    },
    { flush: 'post' },
  )
  watch(subject, () => {
    putBack = null
    scroller.value?.scrollTo({ top: 0 })
  })

  function showWanted(): void {
    const { wantedRow, rows, forgetWantedRow } = table()
    if (wantedRow === null) return
    forgetWantedRow()
    const at = rows.findIndex(({ id }) => id === wantedRow)
    if (at !== -1) void focusRow(at)
  }
  watch(() => table().wantedRow, showWanted)
  // It may be wanted of a table that comes for it.
  onMounted(async () => {
    await nextTick()
    showWanted()
  })

  /** Shift and an arrow: the next row as well. */
  function extendBy(step: number): void {
    const { rows, selected, toggleRow, extendTo } = table()
    const here = rows[active.value]
    const next = rows[active.value + step]
    if (!here || !next) return
    if (!selected.has(here.id)) toggleRow(here.id)
    extendTo(next.id)
    void focusRow(active.value + step)
  }

  /** Everything that a key does on a row of any table; true when the key was one of them. */
  function onKey(event: KeyboardEvent, id: number): boolean {
    if (moveBy(event)) return true
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const act = (work: () => unknown): boolean => {
      event.preventDefault()
      work()
      return true
    }
    const { selected, isAllSelected, extendTo, toggleRow, toggleAllRows, clearSelection } = table()
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        return event.shiftKey && isPlain && act(() => extendBy(event.key === 'ArrowDown' ? 1 : -1))
      case ' ':
        return isPlain && act(() => (event.shiftKey ? extendTo(id) : toggleRow(id)))
      case 'a':
      case 'A':
        return (event.ctrlKey || event.metaKey) && act(() => isAllSelected || toggleAllRows())
      case 'Escape':
        return selected.size > 0 && act(clearSelection)
      default:
        return false
    }
  }

  return { slots: list.slots, gapBelowPx: list.gapBelowPx, active, enter, onKey }
}
