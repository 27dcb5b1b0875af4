import { implement } from '@orpc/server'
import { diagnostics as contract } from '../../contract/diagnostics.ts'
import type { DiagnosticsService } from '../../services/diagnostics/open-diagnostics.ts'

const os = implement(contract)

/** The calls of `contract/diagnostics.ts`, answered by the service. */
export function diagnosticsRouter({ licenses, ...diagnostics }: DiagnosticsService) {
  return os.router({
    read: os.read.handler(({ input }) => diagnostics.read(input)),
    show: os.show.handler(({ input }) => diagnostics.show(input.what)),
    crashDumps: os.crashDumps.handler(() => diagnostics.crashDumps()),
    deleteCrashDumps: os.deleteCrashDumps.handler(() => diagnostics.deleteCrashDumps()),
    saveLog: os.saveLog.handler(async ({ input }) => ({
      saved: await diagnostics.saveLog(input),
    })),
    reset: os.reset.handler(({ input }) => diagnostics.reset(input.parts, input.typed)),
    keep: os.keep.handler(() => diagnostics.keep()),
    licenses: {
      list: os.licenses.list.handler(() => licenses.list()),
      text: os.licenses.text.handler(async ({ input }) => ({ text: await licenses.text(input) })),
      showChromiumFile: os.licenses.showChromiumFile.handler(() => licenses.showChromiumFile()),
    },
  })
}
