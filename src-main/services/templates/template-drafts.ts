import { z } from 'zod'
import { stepToOwnPart } from '../../domain/base/file-version.ts'
import { Latest } from '../../domain/base/latest.ts'
import { mayHaveToken, type DraftToken } from '../../domain/templates/registry-token.ts'
import {
  templateDraft,
  type DraftSummary,
  type KeptDraft,
  type TemplateDraft,
} from '../../domain/templates/template-draft.ts'
import { templateContent } from '../../domain/templates/template-content.ts'
import { openJsonFile, type JsonFile, type JsonFilePlace, type JsonFileShape } from '../storage/json-file.ts'

/** What was sent of a draft, written before it was: until its outcome is known, it is not sent again. */
const sentDraft = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** The account's templates that were there before. */
  knownIds: z.array(z.number().int()).readonly(),
  content: templateContent,
})
export type SentDraft = z.infer<typeof sentDraft>

const entry = z.object({
  draft: templateDraft,
  changedAt: z.number(),
  /** Whether a registry token was entered. The token itself is in memory only. */
  hadToken: z.boolean(),
  /** Whether the user said that it goes without the token that may be gone with its template. */
  tokenDropped: z.boolean().default(false),
  /** Whether the next save removes the token that the service has. */
  removesToken: z.boolean().default(false),
  sent: sentDraft.nullable(),
})
type Entry = z.infer<typeof entry>
const entries = z.array(entry).readonly()

export const templateDraftsFile: JsonFileShape<readonly Entry[]> = {
  schema: entries,
  steps: [stepToOwnPart(z.record(z.string(), entries), [])],
  fallback: [],
}

/** What was deleted can be created again from its draft; the oldest of more than these are dropped. */
const mostDeleted = 20

interface TemplateDraftsOptions {
  readonly file: JsonFile<readonly Entry[]>
  readonly now: () => number
  /** Keeps a token out of the log until the answer is called. */
  readonly hide: (secret: string) => () => void
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openTemplateDrafts({
  hide,
  ...place
}: JsonFilePlace & Pick<TemplateDraftsOptions, 'hide'>): Promise<TemplateDrafts> {
  const file = await openJsonFile({ ...place, ...templateDraftsFile })
  return new TemplateDrafts({ file, hide, now: place.clock.now })
}

/**
 * Templates that are being written. They last, so that a crash loses none. Their registry tokens
 * are in memory, and never leave main but for the service.
 */
export class TemplateDrafts {
  readonly latest: Latest<readonly DraftSummary[]>
  readonly #options: TemplateDraftsOptions
  /** By draft. */
  readonly #tokens = new Map<string, { readonly token: string; readonly show: () => void }>()

  constructor(options: TemplateDraftsOptions) {
    this.#options = options
    this.latest = new Latest(this.#summaries())
  }

  /** The tokens end. */
  dispose(): void {
    for (const id of this.#tokens.keys()) this.#dropToken(id)
  }

  readonly read = (id: string): KeptDraft | null => {
    const found = this.#find(id)
    if (found === undefined) return null
    const { draft, changedAt, sent } = found
    return { draft, changedAt, token: this.#tokenState(found), isUnsettled: sent !== null }
  }

  /** On the disk when it resolves. @throws ProblemError storage-failed; nothing is changed then */
  readonly keep = async (draft: TemplateDraft): Promise<void> => {
    const { now } = this.#options
    await this.#update((entries) => {
      const before = entries.find((one) => one.draft.id === draft.id)
      const next: Entry = {
        draft,
        changedAt: now(),
        hadToken: this.#tokens.has(draft.id) || before?.hadToken === true,
        tokenDropped: before?.tokenDropped === true,
        removesToken: draft.origin.kind === 'edit' && before?.removesToken === true,
        // What a new template became an edit of is there: that it was sent is settled.
        sent: before?.draft.origin.kind === draft.origin.kind ? before.sent : null,
      }
      const others = entries.filter((one) => one !== before && !isOfSameDeletion(one.draft, draft))
      const deleted = others.filter((one) => one.draft.origin.kind === 'deleted').slice(mostDeleted - 1)
      return [next, ...others.filter((one) => !deleted.includes(one))]
    })
  }

  /** Throws as {@link keep}; the token is gone all the same. */
  readonly discard = async (id: string): Promise<void> => {
    this.#dropToken(id)
    await this.#update((entries) => entries.filter(({ draft }) => draft.id !== id))
  }

  /** The draft that says what this template said before it was deleted; `null` for none. */
  readonly undoOf = (templateId: number): string | null =>
    this.#options.file.value.find(
      ({ draft: { origin } }) => origin.kind === 'deleted' && origin.deleted.id === templateId,
    )?.draft.id ?? null

  /** Of a draft that may not be kept yet; an empty one removes what the service has. Throws as {@link keep}. */
  readonly holdToken = async (id: string, token: string | null): Promise<void> => {
    this.#dropToken(id)
    const removesToken = token === ''
    const hadToken = token !== null && !removesToken
    if (hadToken) this.#tokens.set(id, { token, show: this.#options.hide(token) })
    await this.#update((entries) =>
      entries.map((one) =>
        one.draft.id === id ? { ...one, hadToken, tokenDropped: token === null, removesToken } : one,
      ),
    )
  }

  /** What is sent as the token: empty to remove it, `null` for nothing. */
  readonly tokenOf = (id: string): string | null =>
    this.#tokens.get(id)?.token ?? (this.#find(id)?.removesToken === true ? '' : null)

  readonly tokenStateOf = (id: string): DraftToken => {
    const found = this.#find(id)
    if (found !== undefined) return this.#tokenState(found)
    return this.#tokens.has(id) ? 'held' : 'none'
  }

  /** What was sent of a draft and is not settled; `null` for nothing. */
  readonly sentOf = (id: string): SentDraft | null => this.#find(id)?.sent ?? null

  /** Throws as {@link keep}. */
  readonly markSent = async (id: string, sent: SentDraft | null): Promise<void> => {
    await this.#update((entries) => entries.map((one) => (one.draft.id === id ? { ...one, sent } : one)))
  }

  #dropToken(id: string): void {
    this.#tokens.get(id)?.show()
    this.#tokens.delete(id)
  }

  #find(id: string): Entry | undefined {
    return this.#options.file.value.find(({ draft }) => draft.id === id)
  }

  async #update(change: (entries: readonly Entry[]) => readonly Entry[]): Promise<void> {
    await this.#options.file.update(change)
    this.#publish()
  }

  #publish(): void {
    this.latest.set(this.#summaries())
  }

  #summaries(): readonly DraftSummary[] {
    return this.#options.file.value
      .map((one) => summaryOf(one, this.#tokenState(one)))
      .toSorted((a, b) => b.changedAt - a.changedAt)
  }

  #tokenState({ draft, hadToken, tokenDropped, removesToken }: Entry): DraftToken {
    if (this.#tokens.has(draft.id)) return 'held'
    if (removesToken) return 'removed'
    return hadToken || (isWithLostToken(draft) && !tokenDropped) ? 'lost' : 'none'
  }
}

function summaryOf({ draft: { id, origin, form }, changedAt, sent }: Entry, token: DraftToken): DraftSummary {
  return {
    id,
    kind: origin.kind,
    templateId: origin.kind === 'edit' ? origin.base.id : null,
    name: form.name,
    image: form.image,
    changedAt,
    token,
    isUnsettled: sent !== null,
  }
}

/** Whether a deleted template had a token, as far as can be told: nobody here has it. */
function isWithLostToken({ origin }: TemplateDraft): boolean {
  return origin.kind === 'deleted' && mayHaveToken(origin.deleted)
}

/** Whether both say what one template said before it was deleted, or was to be. */
function isOfSameDeletion({ origin: one }: TemplateDraft, { origin: other }: TemplateDraft): boolean {
  return one.kind === 'deleted' && other.kind === 'deleted' && one.deleted.id === other.deleted.id
}
