/** A rectangle on the desktop, in device-independent pixels. */
export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What the layout needs. */
export const smallestSize = { width: 960, height: 600 } as const
const defaultSize = { width: 1280, height: 800 } as const

/**
 * Where the window opens: where it was, moved and shrunk until all of it is on the display that shows most of
 * it. When no display shows it any more, or it opens for the first time, it is centered on the first display.
 *
 * @param remembered the bounds when it was last open, or `null`
 * @param workAreas what each display has beside task bars; the primary display first, never empty
 */
export function placeWindow(
  remembered: Bounds | null,
  workAreas: readonly [Bounds, ...(readonly Bounds[])],
): Bounds {
  const home = mostVisible(remembered, workAreas)
  if (remembered === null || home === null) {
    const [primary] = workAreas
    const width = fit(defaultSize.width, smallestSize.width, primary.width)
    const height = fit(defaultSize.height, smallestSize.height, primary.height)
    return {
      x: primary.x + Math.max(0, Math.floor((primary.width - width) / 2)),
      y: primary.y + Math.max(0, Math.floor((primary.height - height) / 2)),
      width,
      height,
    }
  }
  const width = fit(remembered.width, smallestSize.width, home.width)
  const height = fit(remembered.height, smallestSize.height, home.height)
  return {
    x: fit(remembered.x, home.x, home.x + home.width - width),
    y: fit(remembered.y, home.y, home.y + home.height - height),
    width,
    height,
  }
}

function mostVisible(window: Bounds | null, areas: readonly Bounds[]): Bounds | null {
  if (window === null) return null
  let best: Bounds | null = null
  let bestOverlap = 0
  for (const area of areas) {
    const overlap = overlapOf(window, area)
    if (overlap > bestOverlap) [best, bestOverlap] = [area, overlap]
  }
  return best
}

function overlapOf(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

/** Between the two; a display smaller than the smallest window gives way to the window. */
function fit(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
