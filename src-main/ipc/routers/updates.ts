import { implement } from '@orpc/server'
import { updates as contract } from '../../contract/updates.ts'
import type { Updates } from '../../services/updates/updates.ts'

const os = implement(contract)

/** The calls of `contract/updates.ts`, answered by the service. */
export function updatesRouter(updates: Updates) {
  return os.router({
    watch: os.watch.handler(({ signal }) => updates.state.watch(signal)),
    look: os.look.handler(() => updates.look()),
    download: os.download.handler(() => updates.download()),
    install: os.install.handler(() => updates.install()),
    watchNotInstalled: os.watchNotInstalled.handler(({ signal }) => updates.notInstalled.watch(signal)),
    forgetNotInstalled: os.forgetNotInstalled.handler(() => updates.forgetNotInstalled()),
  })
}
