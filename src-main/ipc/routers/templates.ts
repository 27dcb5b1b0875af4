import { implement } from '@orpc/server'
import { inParts } from '../../contract/parts.ts'
import { templates as contract } from '../../contract/templates.ts'
import type { TemplatesService } from '../../services/templates/open-templates.ts'

const os = implement(contract)

/** The calls of `contract/templates.ts`, answered by the service. */
export function templatesRouter(templates: TemplatesService) {
  return os.router({
    search: os.search.handler(async ({ input, signal }) =>
      inParts(await templates.search(input.filters, signal)),
    ),
    follow: os.follow.handler(({ input }) => templates.follow(input.filters)),
    find: os.find.handler(({ input }) => templates.find(input.id)),
    watchDrafts: os.watchDrafts.handler(({ signal }) => templates.drafts.latest.watch(signal)),
    readDraft: os.readDraft.handler(({ input }) => templates.drafts.read(input.id)),
    keepDraft: os.keepDraft.handler(({ input }) => templates.drafts.keep(input)),
    discardDraft: os.discardDraft.handler(({ input }) => templates.drafts.discard(input.id)),
    holdToken: os.holdToken.handler(({ input }) => templates.drafts.holdToken(input.id, input.token)),
    save: os.save.handler(({ input }) => templates.save(input)),
    remove: os.remove.handler(({ input }) => templates.remove(input.id)),
    exportFile: os.exportFile.handler(async ({ input }) => ({ path: await templates.exportFile(input) })),
  })
}
