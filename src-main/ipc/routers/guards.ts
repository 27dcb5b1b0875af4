import { implement } from '@orpc/server'
import { guards as contract } from '../../contract/guards.ts'
import type { GuardsService } from '../../services/guards/open-guards.ts'

const os = implement(contract)

/** The calls of `contract/guards.ts`, answered by the service. */
export function guardsRouter(guards: GuardsService) {
  return os.router({
    watch: os.watch.handler(({ signal }) => guards.store.state.watch(signal)),
    set: os.set.handler(({ input }) => guards.store.set(input)),
    remove: os.remove.handler(({ input }) => guards.store.remove(input.id)),
    postpone: os.postpone.handler(({ input }) => guards.store.postpone(input.id)),
    dismiss: os.dismiss.handler(({ input }) => guards.store.dismiss(input.id)),
    lookAtInstance: os.lookAtInstance.handler(({ input }) => guards.watchers.lookNow(input.instanceId)),
    removeForeign: os.removeForeign.handler(({ input }) => guards.watchers.lookNow(input.instanceId, true)),
    watchLimit: os.watchLimit.handler(({ signal }) => guards.limit.state.watch(signal)),
    setLimit: os.setLimit.handler(({ input }) => guards.limit.set(input.usd)),
    removeLimit: os.removeLimit.handler(() => guards.limit.remove()),
    watchAlarms: os.watchAlarms.handler(({ signal }) => guards.alarms.watch(signal)),
  })
}
