import { implement } from '@orpc/server'
import { renting as contract } from '../../contract/renting.ts'
import type { RentingService } from '../../services/renting/open-renting.ts'

const os = implement(contract)

/** The calls of `contract/renting.ts`, answered by the service. */
export function rentingRouter(renting: RentingService) {
  return os.router({
    preview: os.preview.handler(({ input }) => renting.preview(input)),
    rent: os.rent.handler(({ input }) => renting.rent(input)),
    dismissNotice: os.dismissNotice.handler(({ input }) => renting.dismissNotice(input.id)),
    retries: {
      watch: os.retries.watch.handler(({ signal }) => renting.retries.state.watch(signal)),
      begin: os.retries.begin.handler(({ input }) => renting.retries.begin(input)),
      requestOf: os.retries.requestOf.handler(({ input }) => renting.retries.requestOf(input.instanceId)),
      replace: os.retries.replace.handler(({ input }) => renting.retries.replace(input)),
      stop: os.retries.stop.handler(({ input }) => renting.retries.stop(input.id, input.machine)),
      dismiss: os.retries.dismiss.handler(({ input }) => renting.retries.dismiss(input.id)),
    },
    autoRent: {
      watch: os.autoRent.watch.handler(({ signal }) => renting.autoRent.state.watch(signal)),
      begin: os.autoRent.begin.handler(({ input }) => renting.autoRent.begin(input)),
      stop: os.autoRent.stop.handler(({ input }) => renting.autoRent.stop(input.id)),
      dismiss: os.autoRent.dismiss.handler(({ input }) => renting.autoRent.dismiss(input.id)),
    },
  })
}
