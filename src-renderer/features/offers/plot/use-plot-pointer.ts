import { useEventListener } from '@vueuse/core'
import { shallowRef, type Ref } from 'vue'
import { isInside, nearestPlace, type Place } from './lasso.ts'

/** How far from a point the pointer still means it. */
const reachPx = 10
/** A hand that moves less than this between press and release has clicked. */
const clickPx = 5

/**
 * The pointer on the plot: what it is over, a click on it, and a line drawn around some.
 *
 * @param placesOf where the points are now; asked only after `forgetPlaces`
 * @param choose a point was clicked; with Ctrl, to have it besides what is chosen already
 * @param enclose a line was drawn around these points, at least one
 */
export function usePlotPointer({
  area,
  placesOf,
  choose,
  enclose,
}: {
  readonly area: Readonly<Ref<HTMLElement | null>>
  readonly placesOf: () => readonly Place[]
  readonly choose: (at: number, isOneMore: boolean) => void
  readonly enclose: (inside: readonly number[]) => void
}) {
  /** The point under the pointer, and where it is. */
  const hovered = shallowRef<{ readonly at: number; readonly place: Place } | null>(null)
  /** What is being drawn; empty when nothing is. */
  const line = shallowRef<readonly Place[]>([])

  let known: readonly Place[] | null = null
  function forgetPlaces(): void {
    known = null
    hovered.value = null
  }
  const places = (): readonly Place[] => (known ??= placesOf())

  function placeOf(event: PointerEvent): Place {
    const { left = 0, top = 0 } = area.value?.getBoundingClientRect() ?? {}
    return [event.clientX - left, event.clientY - top]
  }

  function hover(pointer: Place): void {
    const at = nearestPlace(places(), pointer, reachPx)
    const place = at === null ? undefined : places()[at]
    hovered.value = at === null || place === undefined ? null : { at, place }
  }

  let pressedAt: Place | null = null
  useEventListener(area, 'pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary) return
    pressedAt = placeOf(event)
    area.value?.setPointerCapture(event.pointerId)
  })
  useEventListener(area, 'pointermove', (event) => {
    const pointer = placeOf(event)
    if (pressedAt === null) return hover(pointer)
    if (line.value.length === 0 && distance(pressedAt, pointer) < clickPx) return
    hovered.value = null
    line.value = line.value.length === 0 ? [pressedAt, pointer] : [...line.value, pointer]
  })
  useEventListener(area, 'pointerup', (event) => {
    if (pressedAt === null) return
    pressedAt = null
    const drawn = line.value
    line.value = []
    if (drawn.length === 0) {
      hover(placeOf(event))
      if (hovered.value) choose(hovered.value.at, event.ctrlKey || event.metaKey || event.shiftKey)
      return
    }
    const inside = places().flatMap((place, at) => (isInside(place, drawn) ? [at] : []))
    if (inside.length > 0) enclose(inside)
  })
  function giveUp(): void {
    pressedAt = null
    line.value = []
  }
  useEventListener(area, 'pointercancel', giveUp)
  useEventListener(document, 'keydown', ({ key }) => key === 'Escape' && giveUp())
  useEventListener(area, 'pointerleave', () => (hovered.value = null))

  return { hovered, line, forgetPlaces }
}

function distance([x1, y1]: Place, [x2, y2]: Place): number {
  return Math.hypot(x2 - x1, y2 - y1)
}
