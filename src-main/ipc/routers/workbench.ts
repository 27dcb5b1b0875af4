import { implement } from '@orpc/server'
import { workbench as contract } from '../../contract/workbench.ts'
import type { ShutdownNotice } from '../../services/workbench/shutdown-notice.ts'
import type { WorkbenchService } from '../../services/workbench/open-workbench.ts'
import type { ProxyLogins } from '../../services/workbench/proxy-logins.ts'

const os = implement(contract)

/** What stands around the pages of one account, and what is told to the pages of all. */
export interface WorkbenchServices extends WorkbenchService {
  readonly visibility: (signal?: AbortSignal) => AsyncGenerator<boolean, void, void>
  readonly shutdownNotice: Pick<ShutdownNotice, 'watch'>
  readonly proxy: ProxyLogins
}

/** The calls of `contract/workbench.ts`, answered by the services. */
export function workbenchRouter(workbench: WorkbenchServices) {
  return os.router({
    errands: os.errands.handler(({ signal }) => workbench.pageRequests.watch(signal)),
    visibility: os.visibility.handler(({ signal }) => workbench.visibility(signal)),
    farewell: os.farewell.handler(({ signal }) => workbench.shutdownNotice.watch(signal)),
    recents: os.recents.handler(() => workbench.recents()),
    noteRecent: os.noteRecent.handler(({ input }) => workbench.noteRecent(input.id)),
    keepPage: os.keepPage.handler(({ input }) => workbench.keepPage(input.page)),
    proxy: {
      watch: os.proxy.watch.handler(({ signal }) => workbench.proxy.watch(signal)),
      logIn: os.proxy.logIn.handler(({ input }) => workbench.proxy.logIn(input.questionId, input.login)),
    },
  })
}
