import { implement } from '@orpc/server'
import { figures as contract } from '../../contract/figures.ts'
import type { InstanceFigures } from '../../services/figures/instance-figures.ts'

const os = implement(contract)

/** The calls of `contract/figures.ts`, answered by the service. */
export function figuresRouter(figures: InstanceFigures) {
  return os.router({
    watch: os.watch.handler(({ input, signal }) => figures.watch(input.instanceId, signal)),
    watchPoints: os.watchPoints.handler(({ input, signal }) => figures.watchPoints(input.instanceId, signal)),
    show: os.show.handler(({ input }) => figures.show(input.instanceId)),
    hide: os.hide.handler(({ input }) => figures.hide(input.instanceId)),
  })
}
