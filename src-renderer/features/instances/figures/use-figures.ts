import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue'
import type { FiguresView } from '#domain/figures/figures-view.ts'
import type { Point } from '#domain/figures/points.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

const dayMs = 24 * 3_600_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** Two hours in full: then what is older than one is thinned. */
const mostPoints = 3_000

/** An instance's figures while the component lives, and the points of the last day, the oldest first. */
export function useFigures(instanceId: number): {
  readonly view: ComputedRef<FiguresView>
  readonly points: Readonly<ShallowRef<readonly Point[]>>
} {
  const { latest } = useWatch((_, options) => client.figures.watch({ instanceId }, options))
  const points = shallowRef<readonly Point[]>([])

  /** Each part is added to those before, as a watch keeps the newest one alone; answers how many there are. */
  async function* collect(parts: AsyncIterable<readonly Point[]>): AsyncGenerator<number, void, void> {
    points.value = []
    for await (const part of parts) {
      const all = [...points.value, ...part]
      points.value = all.length > mostPoints ? thinned(all, Date.now()) : all
      yield points.value.length
    }
  }
  useWatch(async (_, options) => collect(await client.figures.watchPoints({ instanceId }, options)))

  return {
    view: computed(() => latest.value ?? { state: { kind: 'off' }, figures: null }),
    points,
  }
}

/** Of the last hour all, of the rest of the day one a minute. */
function thinned(points: readonly Point[], now: number): readonly Point[] {
  let keptAt = Number.NEGATIVE_INFINITY
  return points.filter(({ at }) => {
    if (at >= now - hourMs) return true
    if (at < now - dayMs || at - keptAt < minuteMs) return false
    keptAt = at
    return true
  })
}
