import { implement } from '@orpc/server'
import { templates as contract } from '../contract/templates.ts'
import type { TemplateServices } from './template-services.ts'

const os = implement(contract)

/** The templates' part of the router. */
export function createTemplateRouter(templates: TemplateServices) {
  return {
    search: os.search.handler(({ input, signal }) => templates.search(input.filters, signal)),
    follow: os.follow.handler(({ input }) => templates.follow(input.filters)),
    find: os.find.handler(({ input }) => templates.find(input.id)),
    watchDrafts: os.watchDrafts.handler(({ signal }) => templates.drafts.watch(signal)),
    readDraft: os.readDraft.handler(({ input }) => templates.readDraft(input.id)),
    keepDraft: os.keepDraft.handler(({ input }) => templates.keepDraft(input)),
    discardDraft: os.discardDraft.handler(({ input }) => templates.discardDraft(input.id)),
    holdToken: os.holdToken.handler(({ input }) => templates.holdToken(input.id, input.token)),
    save: os.save.handler(({ input }) => templates.save(input)),
    remove: os.remove.handler(({ input }) => templates.remove(input.id)),
  }
}
