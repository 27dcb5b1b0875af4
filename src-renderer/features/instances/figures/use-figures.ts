import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue'
import type { FiguresView } from '#domain/figures/figures-view.ts'
import type { Point } from '#domain/figures/points.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

const dayMs = 24 * 3_600_000

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
      const oldest = Date.now() - dayMs
      points.value = [...points.value, ...part].filter(({ at }) => at >= oldest)
      yield points.value.length
    }
  }
  useWatch(async (_, options) => collect(await client.figures.watchPoints({ instanceId }, options)))

  return {
    view: computed(() => latest.value ?? { state: { kind: 'off' }, figures: null }),
    points,
  }
}
