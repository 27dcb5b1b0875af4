import type { Clock } from '../domain/base/clock.ts'
import type { Filters } from '../domain/fields/filter.ts'
import type { Log } from '../domain/base/log.ts'
import type { TemplateServices } from '../ipc/template-services.ts'
import type { ConnectedAccount } from '../services/accounts/connected-account.ts'
import { TemplateDesk } from '../services/templates/template-desk.ts'
import { findTemplate, searchTemplates } from '../services/rental-api/templates.ts'
import type { JsonFilePlace } from '../services/storage/json-file.ts'
import { openTemplateDrafts } from '../services/templates/template-drafts.ts'
import { openTemplateHashes, withLatestHashes } from '../services/templates/template-hashes.ts'

export interface TemplatesOptions {
  readonly account: Pick<ConnectedAccount, 'identity' | 'http'>
  readonly file: (name: string) => JsonFilePlace
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
  /** Keeps a secret out of the log until the answer is called. */
  readonly hide: (secret: string) => () => void
}

export interface Templates {
  readonly services: TemplateServices
  /** The hash id that a template has now. */
  readonly latestHash: (hash: string) => string
  /** Registry tokens that are held end. */
  readonly dispose: () => void
}

/**
 * The part of the composition root that puts together the account's templates, their drafts and their hash ids.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function composeTemplates(options: TemplatesOptions): Promise<Templates> {
  const { account, file, clock, randomId, log, hide } = options
  const drafts = await openTemplateDrafts({ ...file('template-drafts.json'), hide })
  const hashes = await openTemplateHashes({ ...file('template-hashes.json'), log })
  const desk = new TemplateDesk({
    http: account.http,
    userId: () => account.identity().userId,
    drafts,
    follow: hashes.follow,
    clock,
    randomId,
    log,
  })
  const follow = (filters: Filters): Filters => withLatestHashes(filters, hashes.latest)
  return {
    services: {
      // Whoever asks by a hash id from before an edit means the template.
      search: (filters, signal) => searchTemplates(account.http, follow(filters), signal),
      follow,
      find: (id) => findTemplate(account.http, id),
      drafts: drafts.latest,
      readDraft: drafts.read,
      keepDraft: drafts.keep,
      discardDraft: drafts.discard,
      holdToken: drafts.holdToken,
      save: async (draft) => desk.save(draft),
      remove: async (id) => desk.remove(id),
    },
    latestHash: hashes.latest,
    dispose: () => drafts.dispose(),
  }
}
