import { implement } from '@orpc/server'
import { figures as contract } from '../../contract/figures.ts'
import type { FiguresService } from '../../services/figures/open-figures.ts'

const os = implement(contract)

/** The calls of `contract/figures.ts`, answered by the service. */
export function figuresRouter({ each, all }: FiguresService) {
  return os.router({
    watch: os.watch.handler(({ input, signal }) => each.watch(input.instanceId, signal)),
    watchPoints: os.watchPoints.handler(({ input, signal }) => each.watchPoints(input.instanceId, signal)),
    show: os.show.handler(({ input }) => each.show(input.instanceId)),
    hide: os.hide.handler(({ input }) => each.hide(input.instanceId)),
    watchAll: os.watchAll.handler(({ signal }) => all.watchAll(signal)),
    watchAlarms: os.watchAlarms.handler(({ signal }) => all.alarms.watch(signal)),
  })
}
