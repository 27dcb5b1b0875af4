import { watch, type Ref } from 'vue'
import { useRowList } from '#ui/useRowList.ts'
import { useOffersStore } from '../offers-store.ts'

/** The rows in sight, and the keyboard's way through them. The keyboard stays on its offer, wherever that goes. */
export function useOfferRows({
  scroller,
  rowHeightPx,
}: {
  readonly scroller: Readonly<Ref<HTMLElement | null>>
  readonly rowHeightPx: number
}) {
  const offers = useOffersStore()
  const list = useRowList({
    scroller,
    count: () => offers.rows.length,
    rowHeightPx: () => rowHeightPx,
    headHeightPx: rowHeightPx,
  })
  const { active, moveBy, focusRow } = list

  let activeId: number | null = null
  function enter(index: number): void {
    active.value = index
    activeId = offers.rows[index]?.id ?? null
  }

  watch(
    () => offers.rows,
    (rows) => {
      const at = rows.findIndex(({ id }) => id === activeId)
      // A row that goes takes what is in it along, too.
      const hasKeyboard = document.activeElement?.closest('[data-row]') !== null
      if (at === -1) {
        activeId = null
        if (hasKeyboard) void focusRow(active.value)
      } else if (at !== active.value) {
        active.value = at
        // A key that is about to be pressed must not meet another offer than the one it was meant for.
        if (document.activeElement?.matches('[data-row]')) void focusRow(at)
      }
    },
  )
  watch(
    () => offers.found?.query,
    () => scroller.value?.scrollTo({ top: 0 }),
  )
  watch(
    () => offers.wantedRow,
    (id) => {
      if (id === null) return
      offers.wantedRow = null
      const at = offers.rows.findIndex((offer) => offer.id === id)
      if (at !== -1) void focusRow(at)
    },
  )

  /** Shift and an arrow: the next row as well. */
  function extendBy(step: number): void {
    const here = offers.rows[active.value]
    const next = offers.rows[active.value + step]
    if (!here || !next) return
    if (!offers.selected.has(here.id)) offers.toggleRow(here.id)
    offers.extendTo(next.id)
    void focusRow(active.value + step)
  }

  /** Everything that a key does on a row but open it; true when the key was one of them. */
  function onKey(event: KeyboardEvent, id: number): boolean {
    if (moveBy(event)) return true
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const act = (work: () => void): boolean => {
      event.preventDefault()
      work()
      return true
    }
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        return event.shiftKey && isPlain && act(() => extendBy(event.key === 'ArrowDown' ? 1 : -1))
      case ' ':
        return isPlain && act(() => (event.shiftKey ? offers.extendTo(id) : offers.toggleRow(id)))
      case 'a':
        return (event.ctrlKey || event.metaKey) && act(offers.toggleAllRows)
      case 'Escape':
        return offers.selected.size > 0 && act(offers.clearSelection)
      default:
        return false
    }
  }

  return { slots: list.slots, gapBelowPx: list.gapBelowPx, active, enter, onKey }
}
