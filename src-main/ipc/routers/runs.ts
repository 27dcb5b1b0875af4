import { implement } from '@orpc/server'
import { runs as contract } from '../../contract/runs.ts'
import type { RunsService } from '../../services/runs/open-runs.ts'

const os = implement(contract)

/** The calls of `contract/runs.ts`, answered by the service. */
export function runsRouter({ runs, snippets }: RunsService) {
  return os.router({
    watch: os.watch.handler(({ signal }) => runs.state.watch(signal)),
    start: os.start.handler(({ input }) => runs.start(input)),
    again: os.again.handler(({ input }) => runs.again(input.id, input.instanceId)),
    notifyWhenDone: os.notifyWhenDone.handler(({ input }) => runs.notifyWhenDone(input.id, input.isOn)),
    stop: os.stop.handler(({ input }) => runs.stop(input.id, input.instanceId)),
    watchOutput: os.watchOutput.handler(({ input, signal }) =>
      runs.watchOutput(input.id, input.instanceId, signal),
    ),
    text: os.text.handler(({ input }) => runs.text(input.id, input.instanceId)),
    save: os.save.handler(async ({ input }) => ({ folder: await runs.save(input.id) })),
    watchSnippets: os.watchSnippets.handler(({ signal }) => snippets.state.watch(signal)),
    keepSnippet: os.keepSnippet.handler(({ input }) => snippets.keep(input.command)),
    setSnippetAtStart: os.setSnippetAtStart.handler(({ input }) => snippets.setAtStart(input.id)),
    removeSnippet: os.removeSnippet.handler(({ input }) => snippets.remove(input.id)),
  })
}
