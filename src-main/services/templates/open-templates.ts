import type { Clock } from '../../domain/base/clock.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Filters } from '../../domain/fields/filter.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { TemplateContent } from '../../domain/templates/template-content.ts'
import type { TemplateDraft } from '../../domain/templates/template-draft.ts'
import type { Template } from '../../domain/templates/template.ts'
import type { Http } from '../rental-api/http.ts'
import { findTemplateWithCreator, searchTemplates } from '../rental-api/templates.ts'
import type { Folder } from '../storage/folder.ts'
import { exportTemplate } from './template-export.ts'
import { TemplateWriter, type TemplateWriterOptions } from './template-writer.ts'
import { openTemplateDrafts } from './template-drafts.ts'
import { openTemplateHashHistory, withLatestHashes } from './template-hash-history.ts'

export interface TemplatesDependencies extends Pick<TemplateWriterOptions, 'userId'> {
  readonly http: Http
  readonly file: Folder['file']
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
  /** Keeps a secret out of the log until the answer is called. */
  readonly hide: (secret: string) => () => void
  /** Asks the user where to; `null` when nothing was chosen. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
  /** Told of each answer to a search. */
  readonly onFound: (filters: Filters, found: RecordList<Template>) => void
}

export type TemplatesService = Awaited<ReturnType<typeof openTemplates>>

/**
 * The account's templates, their drafts, and what their hash ids have become.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openTemplates(from: TemplatesDependencies, lifetime: Lifetime) {
  const { http, file, log, hide, userId } = from
  const drafts = await openTemplateDrafts({ ...file('template-drafts.json'), hide })
  const hashes = await openTemplateHashHistory({ ...file('template-hashes.json'), log })
  const writer = new TemplateWriter({ ...from, drafts, follow: hashes.follow })
  const follow = (filters: Filters): Filters => withLatestHashes(filters, hashes.latest)

  // A save that is under way still needs its token.
  lifetime.lastly(() => drafts.dispose())
  return {
    /** Whoever asks by a hash id from before an edit means the template. */
    search: async (filters: Filters, signal?: AbortSignal) => {
      const found = await searchTemplates(http, follow(filters), signal)
      from.onFound(filters, found)
      return found
    },
    follow,
    find: async (id: number) => findTemplateWithCreator(http, id, await userId()),
    drafts,
    save: async (draft: TemplateDraft) => writer.save(draft),
    remove: async (id: number) => writer.remove(id),
    exportFile: (shown: { readonly id: number; readonly content: TemplateContent }) =>
      exportTemplate(shown, from.chooseFile),
    /** The hash id that a template has now. */
    latestHash: hashes.latest,
  }
}
