/** A place on the plot, in px from its upper left corner. */
export type Place = readonly [x: number, y: number]

/** Whether a place is inside a closed line, by counting how often a ray to the right crosses it. */
export function isInside([x, y]: Place, line: readonly Place[]): boolean {
  let isIn = false
  for (const [at, [x1, y1]] of line.entries()) {
    const [x2, y2] = line.at(at - 1) ?? [x1, y1]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isIn = !isIn
  }
  return isIn
}

/** Index of the place nearest to another, when one is near enough; of equals the last, which is drawn on top. */
export function nearestPlace(places: readonly Place[], [x, y]: Place, withinPx: number): number | null {
  let [nearest, least] = [-1, withinPx * withinPx]
  for (const [at, [placeX, placeY]] of places.entries()) {
    const distance = (placeX - x) ** 2 + (placeY - y) ** 2
    if (distance <= least) [nearest, least] = [at, distance]
  }
  return nearest === -1 ? null : nearest
}
