import { implement } from '@orpc/server'
import { files as contract } from '../../contract/files.ts'
import type { FilesService } from '../../services/files/open-files.ts'

const os = implement(contract)

/** The calls of `contract/files.ts`, answered by the service. */
export function filesRouter(files: FilesService) {
  return os.router({
    listLocal: os.listLocal.handler(({ input }) => files.browser.listLocal(input)),
    listRemote: os.listRemote.handler(({ input }) => files.browser.listRemote(input.instanceId, input)),
    choose: os.choose.handler(({ input }) => files.choose(input.kind)),
    change: os.change.handler(({ input, signal }) => files.browser.change(input.place, input.change, signal)),
    watchTransfers: os.watchTransfers.handler(({ signal }) => files.transfers.state.watch(signal)),
    startTransfer: os.startTransfer.handler(({ input }) => files.transfers.start(input)),
    answerConflicts: os.answerConflicts.handler(({ input }) =>
      files.transfers.answer(input.id, input.choice),
    ),
    cancelTransfer: os.cancelTransfer.handler(({ input }) => files.transfers.cancel(input.id)),
    retryTransfer: os.retryTransfer.handler(({ input }) => files.transfers.retry(input.id)),
    forgetTransfer: os.forgetTransfer.handler(({ input }) => files.transfers.forget(input.id)),
  })
}
