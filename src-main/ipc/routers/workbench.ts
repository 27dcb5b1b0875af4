import { implement } from '@orpc/server'
import { workbench as contract } from '../../contract/workbench.ts'
import type { ShutdownNotice } from '../../services/workbench/shutdown-notice.ts'
import type { WorkbenchService } from '../../services/workbench/open-workbench.ts'
import type { ProxyLogins } from '../../services/workbench/proxy-logins.ts'

const os = implement(contract)

/** What is told to the pages of all accounts. */
interface PagesServices {
  readonly visibility: (signal?: AbortSignal) => AsyncGenerator<boolean, void, void>
  readonly shutdownNotice: Pick<ShutdownNotice, 'watch'>
  readonly proxy: ProxyLogins
}

/** The calls of `contract/workbench.ts`, answered by the services. @param workbench of one account */
export function workbenchRouter(workbench: WorkbenchService, pages: PagesServices) {
  return os.router({
    watchPageRequests: os.watchPageRequests.handler(({ signal }) => workbench.pageRequests.watch(signal)),
    visibility: os.visibility.handler(({ signal }) => pages.visibility(signal)),
    watchShutdown: os.watchShutdown.handler(({ signal }) => pages.shutdownNotice.watch(signal)),
    recents: os.recents.handler(() => workbench.recents()),
    noteRecent: os.noteRecent.handler(({ input }) => workbench.noteRecent(input.id)),
    keepPage: os.keepPage.handler(({ input }) => workbench.keepPage(input.page)),
    proxy: {
      watch: os.proxy.watch.handler(({ signal }) => pages.proxy.watch(signal)),
      logIn: os.proxy.logIn.handler(({ input }) => pages.proxy.logIn(input.questionId, input.login)),
    },
  })
}
