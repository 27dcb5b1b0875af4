import { defaultRangeExtractor, useVirtualizer } from '@tanstack/vue-virtual'
import { computed, nextTick, ref, watch, type ComputedRef, type Ref } from 'vue'

/** A row to draw, and the height of what is left out above it. */
export interface RowSlot {
  readonly index: number
  readonly gapAbovePx: number
}

export interface RowList<Id = number> {
  readonly slots: ComputedRef<readonly RowSlot[]>
  /** Height of what is left out below the last slot. */
  readonly gapBelowPx: ComputedRef<number>
  /** The row that the keyboard is on: the only one with tabindex 0. */
  readonly active: Ref<number>
  /** Arrows, Page Up and Down, Home and End; true when the key was one of them. */
  readonly moveBy: (event: KeyboardEvent) => boolean
  /** Where such a key leads to; `null` for another key. */
  readonly targetOf: (key: string) => number | null
  readonly rowAt: (index: number) => HTMLElement | null
  readonly focusRow: (index: number) => Promise<void>
  /**
   * For when other rows are about to be drawn: notes which one is looked at, the active one if it is in sight, else the
   * first. What is returned brings it back to where it was, once they are drawn. `null` at the top, which is looked at
   * for what comes first.
   *
   * @param idAt of the rows that are still drawn
   */
  readonly holdPlace: (idAt: (index: number) => Id | undefined) => (() => void) | null
}

interface RowListOptions<Id> {
  /** What scrolls; the table's sticky head is inside it. */
  readonly scroller: Readonly<Ref<HTMLElement | null>>
  /** Of each row what it is known by, wherever it goes. */
  readonly ids: () => readonly Id[]
  readonly rowHeightPx: (index: number) => number
  /** A row may become of another height than that: it's measured when it's drawn. */
  readonly isMeasured: (index: number) => boolean
  readonly headHeightPx: number
}

/**
 * The rows of a table of which only those in sight are drawn, with one row at a time in the tab order. Each
 * row needs `data-row="<index>"` and `tabindex`; the active one stays drawn wherever the list is scrolled to,
 * so that the keyboard never loses its place.
 */
export function useRowList<Id extends number | string>(options: RowListOptions<Id>): RowList<Id> {
  const { scroller, ids, rowHeightPx, isMeasured, headHeightPx } = options
  const count = (): number => ids().length
  const active = ref(0)
  watch(count, (many) => {
    active.value = Math.max(0, Math.min(active.value, many - 1))
  })

  /** What a measured height belongs to: a row that is thought to be of another one is measured anew. */
  const keyOf = computed(() => {
    const keys = ids().map((id, index) => (isMeasured(index) ? `${id} ${rowHeightPx(index)}` : id))
    return (index: number) => keys[index] ?? index
  })

  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>(
    computed(() => {
      const pinned = active.value
      return {
        count: count(),
        getScrollElement: () => scroller.value,
        getItemKey: keyOf.value,
        indexAttribute: 'data-row',
        estimateSize: rowHeightPx,
        overscan: 8,
        scrollPaddingStart: headHeightPx,
        rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
          const inSight = defaultRangeExtractor(range)
          return inSight.includes(pinned) || pinned >= range.count
            ? inSight
            : [...inSight, pinned].toSorted((one, other) => one - other)
        },
      }
    }),
  )

  const items = computed(() => virtualizer.value.getVirtualItems())
  const slots = computed(() =>
    items.value.map(({ index, start }, at) => ({
      index,
      gapAbovePx: start - (items.value[at - 1]?.end ?? 0),
    })),
  )
  const gapBelowPx = computed(() => virtualizer.value.getTotalSize() - (items.value.at(-1)?.end ?? 0))

  function measure(): void {
    for (const { index } of slots.value) if (isMeasured(index)) virtualizer.value.measureElement(rowAt(index))
    // Those that have gone.
    virtualizer.value.measureElement(null)
  }
  watch([slots, scroller], measure, { flush: 'post' })

  function rowAt(index: number): HTMLElement | null {
    return scroller.value?.querySelector<HTMLElement>(`[data-row="${index}"]`) ?? null
  }

  async function focusRow(index: number): Promise<void> {
    if (count() === 0) return
    active.value = Math.max(0, Math.min(index, count() - 1))
    virtualizer.value.scrollToIndex(active.value)
    await nextTick()
    rowAt(active.value)?.focus({ preventScroll: true })
  }

  function targetOf(key: string): number | null {
    const page = Math.max(1, Math.floor((scroller.value?.clientHeight ?? 0) / rowHeightPx(active.value)) - 2)
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: active.value + 1,
      ArrowUp: active.value - 1,
      PageDown: active.value + page,
      PageUp: active.value - page,
      Home: 0,
      End: count() - 1,
    }
    const target = targets[key]
    return target === undefined ? null : Math.max(0, Math.min(target, count() - 1))
  }

  function moveBy(event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
    const target = targetOf(event.key)
    if (target === null) return false
    event.preventDefault()
    void focusRow(target)
    return true
  }

  function holdPlace(idAt: (index: number) => Id | undefined): (() => void) | null {
    const { scrollTop = 0, clientHeight = 0 } = scroller.value ?? {}
    if (scrollTop === 0) return null
    const isInSight = ({ start, end }: { start: number; end: number }): boolean =>
      start >= scrollTop && end <= scrollTop + clientHeight - headHeightPx
    const held =
      items.value.find((item) => item.index === active.value && isInSight(item)) ??
      virtualizer.value.getVirtualItemForOffset(scrollTop)
    const id = held === undefined ? undefined : idAt(held.index)
    if (held === undefined || id === undefined) return null
    const belowTopPx = held.start - scrollTop
    return () => {
      // What is measured after the scrolling would move it again.
      measure()
      // Puts together what was measured.
      virtualizer.value.getTotalSize()
      const start = virtualizer.value.measurementsCache[ids().indexOf(id)]?.start
      if (start === undefined) return
      const target = start - belowTopPx
      if (Math.round(target) !== Math.round(scroller.value?.scrollTop ?? 0))
        virtualizer.value.scrollToOffset(target)
    }
  }

  return { slots, gapBelowPx, active, moveBy, targetOf, rowAt, focusRow, holdPlace }
}
