import { defaultRangeExtractor, useVirtualizer } from '@tanstack/vue-virtual'
import { computed, nextTick, ref, watch, type ComputedRef, type Ref } from 'vue'

/** A row to draw, and the height of what is left out above it. */
export interface RowSlot {
  readonly index: number
  readonly gapAbovePx: number
}

export interface RowList {
  readonly slots: ComputedRef<readonly RowSlot[]>
  /** Height of what is left out below the last slot. */
  readonly gapBelowPx: ComputedRef<number>
  /** The row that the keyboard is on: the only one with tabindex 0. */
  readonly active: Ref<number>
  /** Arrows, Page Up and Down, Home and End; true when the key was one of them. */
  readonly moveBy: (event: KeyboardEvent) => boolean
  readonly focusRow: (index: number) => Promise<void>
}

interface RowListOptions {
  /** What scrolls; the table's sticky head is inside it. */
  readonly scroller: Readonly<Ref<HTMLElement | null>>
  readonly count: () => number
  readonly rowHeightPx: (index: number) => number
  readonly headHeightPx: number
}

/**
 * The rows of a table of which only those in sight are drawn, with one row at a time in the tab order. Each
 * row needs `data-row="<index>"` and `tabindex`; the active one stays drawn wherever the list is scrolled to,
 * so that the keyboard never loses its place.
 */
export function useRowList({ scroller, count, rowHeightPx, headHeightPx }: RowListOptions): RowList {
  const active = ref(0)
  watch(count, (many) => {
    active.value = Math.max(0, Math.min(active.value, many - 1))
  })

  const virtualizer = useVirtualizer(
    computed(() => {
      const pinned = active.value
      return {
        count: count(),
        getScrollElement: () => scroller.value,
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

  async function focusRow(index: number): Promise<void> {
    if (count() === 0) return
    active.value = Math.max(0, Math.min(index, count() - 1))
    virtualizer.value.scrollToIndex(active.value)
    await nextTick()
    const row = scroller.value?.querySelector<HTMLElement>(`[data-row="${active.value}"]`)
    row?.focus({ preventScroll: true })
  }

  function moveBy(event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
    const page = Math.max(1, Math.floor((scroller.value?.clientHeight ?? 0) / rowHeightPx(active.value)) - 2)
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: active.value + 1,
      ArrowUp: active.value - 1,
      PageDown: active.value + page,
      PageUp: active.value - page,
      Home: 0,
      End: count() - 1,
    }
    const target = targets[event.key]
    if (target === undefined) return false
    event.preventDefault()
    void focusRow(target)
    return true
  }

  return { slots, gapBelowPx, active, moveBy, focusRow }
}
