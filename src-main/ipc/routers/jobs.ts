import { implement } from '@orpc/server'
import { jobs as contract } from '../../contract/jobs.ts'
import type { JobsService } from '../../services/jobs/open-jobs.ts'

const os = implement(contract)

/** The calls of `contract/jobs.ts`, answered by the service. */
export function jobsRouter({ jobs, definitions, ...service }: JobsService) {
  return os.router({
    watch: os.watch.handler(({ signal }) => jobs.state.watch(signal)),
    begin: os.begin.handler(({ input }) => jobs.begin(input)),
    repeat: os.repeat.handler(({ input }) => jobs.repeat(input.id)),
    cancel: os.cancel.handler(({ input }) => jobs.cancel(input.id, input.instance)),
    retry: os.retry.handler(({ input }) => jobs.retry(input.id)),
    acceptMissing: os.acceptMissing.handler(({ input }) => jobs.acceptMissing(input.id, input.missing)),
    giveUp: os.giveUp.handler(({ input }) => jobs.giveUp(input.id)),
    forget: os.forget.handler(({ input }) => jobs.forget(input.id)),
    setNotifying: os.setNotifying.handler(({ input }) => jobs.setNotifying(input.id, input.isOn)),
    watchLog: os.watchLog.handler(({ input, signal }) => service.watchLog(input.id, signal)),
    readLog: os.readLog.handler(({ input }) => service.readLog(input.id, input.from, input.bytes)),
    searchLog: os.searchLog.handler(({ input }) => service.searchLog(input.id, input.text, input.from)),
    saveLog: os.saveLog.handler(({ input }) => service.saveLog(input.id)),
    showOutputs: os.showOutputs.handler(({ input }) => service.showOutputs(input.id)),
    chooseFolder: os.chooseFolder.handler(() => definitions.chooseFolder()),
    openDefinition: os.openDefinition.handler(() => definitions.openDefinition()),
    readDefinition: os.readDefinition.handler(({ input }) => definitions.readDefinition(input.folder)),
    saveDefinition: os.saveDefinition.handler(async ({ input }) => ({
      kind: await definitions.saveDefinition(input),
    })),
  })
}
