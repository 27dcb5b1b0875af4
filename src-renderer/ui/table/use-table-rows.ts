import { watch, type Ref } from 'vue'
import { useRowList } from '../use-row-list.ts'
import type { TableModel } from './table-model.ts'

/** The rows in sight, and the keyboard's way through them. The keyboard stays on its row, wherever that goes. */
export function useTableRows<T extends { readonly id: number }>({
  table,
  scroller,
  rowHeightPx,
  subject,
}: {
  readonly table: () => TableModel<T>
  readonly scroller: Readonly<Ref<HTMLElement | null>>
  readonly rowHeightPx: number
  /** Another one is looked at from its top. */
  readonly subject: () => unknown
}) {
  const list = useRowList({
    scroller,
    count: () => table().rows.length,
    rowHeightPx: () => rowHeightPx,
    headHeightPx: rowHeightPx,
  })
  const { active, moveBy, focusRow } = list

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
        if (document.activeElement?.matches('[data-row]')) void focusRow(at)
      }
    },
  )
  watch(subject, () => scroller.value?.scrollTo({ top: 0 }))
  watch(
    () => table().wantedRow,
    (id) => {
      if (id === null) return
      table().forgetWantedRow()
      const at = table().rows.findIndex((row) => row.id === id)
      if (at !== -1) void focusRow(at)
    },
  )

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
    const act = (work: () => void): boolean => {
      event.preventDefault()
      work()
      return true
    }
    const { selected, extendTo, toggleRow, toggleAllRows, clearSelection } = table()
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        return event.shiftKey && isPlain && act(() => extendBy(event.key === 'ArrowDown' ? 1 : -1))
      case ' ':
        return isPlain && act(() => (event.shiftKey ? extendTo(id) : toggleRow(id)))
      case 'a':
        return (event.ctrlKey || event.metaKey) && act(toggleAllRows)
      case 'Escape':
        return selected.size > 0 && act(clearSelection)
      default:
        return false
    }
  }

  return { slots: list.slots, gapBelowPx: list.gapBelowPx, active, enter, onKey }
}
