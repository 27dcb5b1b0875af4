import { ownerOf } from './domain/base/account-identity.ts'
import type { Clock } from './domain/base/clock.ts'
import type { Filters } from './domain/fields/filter.ts'
import type { Log } from './domain/base/log.ts'
import type { TemplateServices } from './ipc/template-services.ts'
import type { ConnectedAccount } from './services/accounts/connected-account.ts'
import { TemplateDesk } from './services/templates/template-desk.ts'
import { findTemplate, searchTemplates } from './services/rental-api/templates.ts'
import type { JsonFilePlace } from './services/storage/json-file.ts'
import { openTemplateDrafts } from './services/templates/template-drafts.ts'
import {
  openTemplateHashes,
  withLatestHashes,
  type TemplateHashBook,
} from './services/templates/template-hashes.ts'

export interface TemplatesOptions {
  readonly account: Pick<ConnectedAccount, 'state' | 'http' | 'httpOf'>
  readonly file: (name: string) => JsonFilePlace
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
  /** Keeps a secret out of the log until the answer is called. */
  readonly hide: (secret: string) => () => void
}

export interface Templates {
  readonly services: TemplateServices
  readonly latestHash: TemplateHashBook['latest']
  readonly follow: (signal: AbortSignal) => Promise<void>
}

/**
 * The part of the composition root that puts together the account's templates, their drafts and their hash ids.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function composeTemplates(options: TemplatesOptions): Promise<Templates> {
  const { account, file, clock, randomId, log, hide } = options
  const drafts = await openTemplateDrafts({ ...file('template-drafts.json'), account: account.state, hide })
  const hashes = await openTemplateHashes({ ...file('template-hashes.json'), log })
  const desk = new TemplateDesk({ account, drafts, follow: hashes.follow, clock, randomId, log })
  const latestOfMine = (hash: string): string => {
    const { value } = account.state
    return value.kind === 'connected' ? hashes.latest(ownerOf(value), hash) : hash
  }
  const follow = (filters: Filters): Filters => withLatestHashes(filters, latestOfMine)
  return {
    services: {
      // Whoever asks by a hash id from before an edit means the template.
      search: (filters, signal) => searchTemplates(account.http, follow(filters), signal),
      follow,
      find: (id) => findTemplate(account.http, id),
      drafts: drafts.latest,
      readDraft: (id) => drafts.read(drafts.owner(), id),
      keepDraft: async (draft) => drafts.keep(drafts.owner(), draft),
      discardDraft: async (id) => drafts.discard(drafts.owner(), id),
      holdToken: async (id, token) => drafts.holdToken(drafts.owner(), id, token),
      save: async (draft) => desk.save(draft),
      remove: async (id) => desk.remove(id),
    },
    latestHash: hashes.latest,
    follow: (signal) => drafts.follow(signal),
  }
}
