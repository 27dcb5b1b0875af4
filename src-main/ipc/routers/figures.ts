import { implement } from '@orpc/server'
import { figures as contract } from '../../contract/figures.ts'
import type { MachineChecks } from '../../services/figures/machine-checks.ts'
import type { FiguresService } from '../../services/figures/open-figures.ts'
import type { SpeedTests } from '../../services/figures/speed-tests.ts'

const os = implement(contract)

/** The calls of `contract/figures.ts`, answered by the services. */
export function figuresRouter(
  { each, all }: FiguresService,
  { checks, speedTests }: { readonly checks: MachineChecks; readonly speedTests: SpeedTests },
) {
  return os.router({
    watch: os.watch.handler(({ input, signal }) => each.watch(input.instanceId, signal)),
    watchPoints: os.watchPoints.handler(({ input, signal }) => each.watchPoints(input.instanceId, signal)),
    show: os.show.handler(({ input }) => each.show(input.instanceId)),
    hide: os.hide.handler(({ input }) => each.hide(input.instanceId)),
    watchAll: os.watchAll.handler(({ signal }) => all.watchAll(signal)),
    watchAlarms: os.watchAlarms.handler(({ signal }) => all.alarms.watch(signal)),
    check: {
      watch: os.check.watch.handler(({ input, signal }) => checks.watch(input.instanceId, signal)),
      run: os.check.run.handler(({ input }) => checks.run(input.instanceId)),
      accept: os.check.accept.handler(({ input }) => checks.accept(input.instanceId)),
    },
    speed: {
      watch: os.speed.watch.handler(({ input, signal }) => speedTests.watch(input.instanceId, signal)),
      start: os.speed.start.handler(({ input }) => speedTests.start(input.instanceId)),
      cancel: os.speed.cancel.handler(({ input }) => speedTests.cancel(input.instanceId)),
    },
  })
}
