import { implement } from '@orpc/server'
import { terminals as contract } from '../../contract/terminals.ts'
import type { TerminalsService } from '../../services/terminals/open-terminals.ts'

const os = implement(contract)

/** The calls of `contract/terminals.ts`, answered by the service. */
export function terminalsRouter(terminals: TerminalsService) {
  return os.router({
    open: os.open.handler(({ input }) => terminals.open(input)),
    watch: os.watch.handler(({ input, signal }) => terminals.watch(input.terminalId, signal)),
    watchFollowed: os.watchFollowed.handler(({ signal }) => terminals.followed.watch(signal)),
    notifyWhenDone: os.notifyWhenDone.handler(({ input }) =>
      terminals.notifyWhenDone(input.terminalId, input.isOn),
    ),
    startLog: os.startLog.handler(({ input }) => terminals.startLog(input.terminalId)),
    stopLog: os.stopLog.handler(({ input }) => terminals.stopLog(input.terminalId)),
    setWish: os.setWish.handler(({ input }) => terminals.setWish(input.terminalId, input.wish)),
    setFolder: os.setFolder.handler(({ input }) => terminals.setFolder(input.terminalId, input.folder)),
    resize: os.resize.handler(({ input }) => terminals.resize(input.terminalId, input)),
    reconnect: os.reconnect.handler(({ input }) => terminals.reconnect(input.terminalId)),
    close: os.close.handler(({ input }) => terminals.close(input.terminalId)),
    openPlainLink: os.openPlainLink.handler(({ input }) => terminals.openPlainLink(input.url)),
    arrangement: os.arrangement.handler(() => terminals.saved.read()),
    keepArrangement: os.keepArrangement.handler(({ input }) => terminals.saved.keep(input.arrangement)),
    screen: os.screen.handler(({ input }) => terminals.saved.readScreen(input.key)),
    keepScreen: os.keepScreen.handler(({ input }) => terminals.saved.keepScreen(input.key, input.screen)),
  })
}
