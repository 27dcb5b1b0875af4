import { useEventListener } from '@vueuse/core'
import { ref, type Ref } from 'vue'

/** What is dragged: something of this page, or files of another program. */
export type DragSource = 'page' | 'desktop'

export interface Drop {
  readonly from: DragSource
  /** The time stamp of the event, by which main knows the files of another program: `files.takeDropped`. */
  readonly at: number
}

interface DropTarget {
  /** Whether it may be dropped here now; where not, the cursor says so, and nothing happens. */
  readonly takesDrop: (from: DragSource) => boolean
  readonly drop: (dropped: Drop) => void
}

/**
 * Takes what is dropped on an element. Where files of another program lie, main alone knows.
 *
 * @returns whether what may be dropped is over it now
 */
export function useDropTarget(
  target: Readonly<Ref<HTMLElement | null>>,
  { takesDrop, drop }: DropTarget,
): Readonly<Ref<boolean>> {
  const isOver = ref(false)

  function hover(event: DragEvent): void {
    isOver.value = takesDrop(sourceOf(event))
    if (!isOver.value) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
  }
  function leave({ currentTarget, relatedTarget }: DragEvent): void {
    const isInside =
      currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (!isInside) isOver.value = false
  }
  useEventListener(target, ['dragenter', 'dragover'], hover)
  useEventListener(target, 'dragleave', leave)
  useEventListener(target, 'drop', (event) => {
    event.preventDefault()
    isOver.value = false
    const from = sourceOf(event)
    // It may have begun while something else was so.
    if (takesDrop(from)) drop({ from, at: event.timeStamp })
  })
  return isOver
}

function sourceOf({ dataTransfer }: DragEvent): DragSource {
  return dataTransfer?.types.includes('Files') === true ? 'desktop' : 'page'
}
