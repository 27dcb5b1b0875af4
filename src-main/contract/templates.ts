import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { filters } from '../domain/fields/filter.ts'
import { templateContent } from '../domain/templates/template-content.ts'
import { template, type Template } from '../domain/templates/template.ts'
import {
  draftSummary,
  keptDraft,
  removeResult,
  saveResult,
  templateDraft,
} from '../domain/templates/template-draft.ts'
import { accountProcedure, nothing, procedure } from './base.ts'
import { listPart } from './parts.ts'

const id = template.pick({ id: true })
const draftId = templateDraft.pick({ id: true })

export const templates = {
  /** Those that fit all filters; there is no search by words (service API 4.5). */
  search: procedure.input(z.object({ filters })).output(eventIterator(listPart<Template>())),
  /** The same filters with what the hash ids in them have become by edits: those are asked for in their place. */
  follow: procedure.input(z.object({ filters })).output(filters),
  /** The one with this numeric id; `null` when the account can see none. */
  find: procedure.input(id).output(template.nullable()),

  /** The account's drafts, the latest first. They last. */
  watchDrafts: procedure.output(eventIterator(z.array(draftSummary).readonly())),
  readDraft: accountProcedure.input(draftId).output(keptDraft.nullable()),
  /** Keeps a draft as it stands: on the disk when it resolves. */
  keepDraft: accountProcedure.input(templateDraft).output(nothing),
  discardDraft: accountProcedure.input(draftId).output(nothing),
  /**
   * Holds a draft's registry token in memory until it is saved or discarded. It never comes back. An empty one removes
   * the service's with the next save; `null` takes back either.
   */
  holdToken: accountProcedure
    .input(z.object({ id: draftId.shape.id, token: z.string().max(10_000).nullable() }))
    .output(nothing),

  /** Creates the template of a draft, or sends its changes. Sent once; a lost reply is looked up. */
  save: accountProcedure.input(templateDraft).output(saveResult),
  /** Deletes one of the account's templates. What it said is kept as a draft first. */
  remove: accountProcedure.input(id).output(removeResult),

  /** Saves a template as it is shown; `path` is `null` when the user chose no file. */
  exportFile: procedure
    .input(id.extend({ content: templateContent }))
    .output(z.object({ path: z.string().nullable() })),
}
