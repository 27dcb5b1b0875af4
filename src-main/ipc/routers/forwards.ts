import { implement } from '@orpc/server'
import { forwards as contract } from '../../contract/forwards.ts'
import type { ForwardsService } from '../../services/forwards/open-forwards.ts'

const os = implement(contract)

/** The calls of `contract/forwards.ts`, answered by the service. */
export function forwardsRouter({ all: forwards, ports, forwardPort }: ForwardsService) {
  return os.router({
    watch: os.watch.handler(({ signal }) => forwards.state.watch(signal)),
    add: os.add.handler(({ input }) => forwards.add(input)),
    change: os.change.handler(({ input }) => forwards.change(input.id, input.plan, input.name)),
    start: os.start.handler(({ input }) => forwards.start(input.id, input.port)),
    stop: os.stop.handler(({ input }) => forwards.stop(input.id)),
    remove: os.remove.handler(({ input }) => forwards.remove(input.id)),
    openInBrowser: os.openInBrowser.handler(({ input, signal }) =>
      forwards.openInBrowser(input.id, input.scheme, {
        ...(input.entry !== undefined && { entry: input.entry }),
        ...(signal !== undefined && { signal }),
      }),
    ),
    forwardPort: os.forwardPort.handler(({ input }) => forwardPort(input.instanceId, input.port)),
    watchPorts: os.watchPorts.handler(({ input, signal }) => ports.watch(input.instanceId, signal)),
    dismissPort: os.dismissPort.handler(({ input }) => ports.dismiss(input.instanceId, input.port)),
  })
}
