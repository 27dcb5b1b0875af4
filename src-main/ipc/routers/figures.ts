import { implement } from '@orpc/server'
import { figures as contract } from '../../contract/figures.ts'
import type { InstanceFigures } from '../../services/figures/instance-figures.ts'
import type { MachineChecks } from '../../services/figures/machine-checks.ts'
import type { SpeedTests } from '../../services/figures/speed-tests.ts'

const os = implement(contract)

/** The calls of `contract/figures.ts`, answered by the services. */
export function figuresRouter(
  figures: InstanceFigures,
  { checks, speedTests }: { readonly checks: MachineChecks; readonly speedTests: SpeedTests },
) {
  return os.router({
    watch: os.watch.handler(({ input, signal }) => figures.watch(input.instanceId, signal)),
    watchPoints: os.watchPoints.handler(({ input, signal }) => figures.watchPoints(input.instanceId, signal)),
    show: os.show.handler(({ input }) => figures.show(input.instanceId)),
    hide: os.hide.handler(({ input }) => figures.hide(input.instanceId)),
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
