import type { Filters } from '../domain/fields/filter.ts'
import type { Latest } from '../domain/base/latest.ts'
import type {
  DraftSummary,
  KeptDraft,
  RemoveResult,
  SaveResult,
  TemplateDraft,
} from '../domain/templates/template-draft.ts'
import type { Template } from '../domain/templates/template.ts'

/** Templates, and the account's drafts of them. */
export interface TemplateServices {
  readonly search: (filters: Filters, signal?: AbortSignal) => Promise<Template[]>
  readonly follow: (filters: Filters) => Filters
  readonly find: (id: number) => Promise<Template | null>
  readonly drafts: Pick<Latest<readonly DraftSummary[]>, 'watch'>
  readonly readDraft: (id: string) => KeptDraft | null
  readonly keepDraft: (draft: TemplateDraft) => Promise<void>
  readonly discardDraft: (id: string) => Promise<void>
  readonly holdToken: (id: string, token: string | null) => Promise<void>
  readonly save: (draft: TemplateDraft) => Promise<SaveResult>
  readonly remove: (id: number) => Promise<RemoveResult>
}
