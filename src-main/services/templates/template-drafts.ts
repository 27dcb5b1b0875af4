import { z } from 'zod'
import { ownerOf } from '../../domain/base/account-identity.ts'
import type { AccountState } from '../../domain/accounts/account.ts'
import { Latest } from '../../domain/base/latest.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import {
  templateDraft,
  type DraftSummary,
  type DraftToken,
  type KeptDraft,
  type TemplateDraft,
} from '../../domain/templates/template-draft.ts'
import { templateContent } from '../../domain/templates/template-content.ts'
import { openJsonFile, type JsonFile, type JsonFilePlace } from '../storage/json-file.ts'

/** What was sent of a draft, written before it was: until its fate is known, it is not sent again. */
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
  sent: sentDraft.nullable(),
})
type Entry = z.infer<typeof entry>
const draftsOfOwners = z.record(z.string(), z.array(entry).readonly())
type DraftsOfOwners = z.infer<typeof draftsOfOwners>

/** What was deleted can be created again from its draft; the oldest of more than these are dropped. */
const mostDeleted = 20

interface TemplateDraftsOptions {
  readonly file: JsonFile<DraftsOfOwners>
  readonly account: Latest<AccountState>
  readonly now: () => number
  /** Keeps a token out of the log until the answer is called. */
  readonly hide: (secret: string) => () => void
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openTemplateDrafts({
  account,
  hide,
  ...options
}: JsonFilePlace & Pick<TemplateDraftsOptions, 'account' | 'hide'>): Promise<TemplateDrafts> {
  const file = await openJsonFile({ ...options, schema: draftsOfOwners, fallback: {} })
  return new TemplateDrafts({ file, account, hide, now: options.clock.now })
}

/**
 * Templates that are being written, for each account. They last, so that a crash loses none. Their registry tokens
 * are in memory, and never leave main but for the service.
 */
export class TemplateDrafts {
  readonly latest: Latest<readonly DraftSummary[]>
  readonly #options: TemplateDraftsOptions
  /** By owner and draft. */
  readonly #tokens = new Map<string, { readonly token: string; readonly show: () => void }>()

  constructor(options: TemplateDraftsOptions) {
    this.#options = options
    this.latest = new Latest(this.#summaries())
  }

  /** Keeps `latest` with the account in use. Ends when the signal is aborted, and the tokens with it. */
  async follow(signal: AbortSignal): Promise<void> {
    let current: string | null = this.#current()
    try {
      for await (const _ of this.#options.account.watch(signal)) {
        if (this.#current() === current) continue
        current = this.#current()
        this.#publish()
      }
    } finally {
      for (const key of this.#tokens.keys()) this.#dropToken(key)
    }
  }

  /** Whose drafts are in use. @throws ProblemError no-account */
  readonly owner = (): string => {
    const owner = this.#current()
    if (owner === null) throw new ProblemError({ kind: 'no-account' })
    return owner
  }

  readonly read = (owner: string, id: string): KeptDraft | null => {
    const found = this.#find(owner, id)
    if (found === undefined) return null
    const { draft, changedAt, sent } = found
    return { draft, changedAt, token: this.#tokenState(owner, found), isUnsettled: sent !== null }
  }

  /** On the disk when it resolves. @throws ProblemError storage-failed; nothing is changed then */
  readonly keep = async (owner: string, draft: TemplateDraft): Promise<void> => {
    const { now } = this.#options
    await this.#update(owner, (entries) => {
      const before = entries.find((one) => one.draft.id === draft.id)
      const next: Entry = {
        draft,
        changedAt: now(),
        hadToken: this.tokenOf(owner, draft.id) !== null || before?.hadToken === true,
        // What a new template became an edit of is there: that it was sent is settled.
        sent: before?.draft.origin.kind === draft.origin.kind ? before.sent : null,
      }
      const others = entries.filter((one) => one !== before && !isOfSameDeletion(one.draft, draft))
      const deleted = others.filter((one) => one.draft.origin.kind === 'deleted').slice(mostDeleted - 1)
      return [next, ...others.filter((one) => !deleted.includes(one))]
    })
  }

  /** Throws as {@link keep}; the token is gone all the same. */
  readonly discard = async (owner: string, id: string): Promise<void> => {
    this.#dropToken(tokenKey(owner, id))
    await this.#update(owner, (entries) => entries.filter(({ draft }) => draft.id !== id))
  }

  /** The draft that says what this template said before it was deleted; `null` for none. */
  readonly undoOf = (owner: string, templateId: number): string | null =>
    this.#options.file.value[owner]?.find(
      ({ draft: { origin } }) => origin.kind === 'deleted' && origin.deleted.id === templateId,
    )?.draft.id ?? null

  /** Of a draft that may not be kept yet. Throws as {@link keep}. */
  readonly holdToken = async (owner: string, id: string, token: string | null): Promise<void> => {
    const key = tokenKey(owner, id)
    this.#dropToken(key)
    if (token !== null) this.#tokens.set(key, { token, show: this.#options.hide(token) })
    await this.#update(owner, (entries) =>
      entries.map((one) => (one.draft.id === id ? { ...one, hadToken: token !== null } : one)),
    )
  }

  readonly tokenOf = (owner: string, id: string): string | null =>
    this.#tokens.get(tokenKey(owner, id))?.token ?? null

  /** What was sent of a draft and is not settled; `null` for nothing. */
  readonly sentOf = (owner: string, id: string): SentDraft | null => this.#find(owner, id)?.sent ?? null

  /** Throws as {@link keep}. */
  readonly markSent = async (owner: string, id: string, sent: SentDraft | null): Promise<void> => {
    await this.#update(owner, (entries) =>
      entries.map((one) => (one.draft.id === id ? { ...one, sent } : one)),
    )
  }

  #dropToken(key: string): void {
    this.#tokens.get(key)?.show()
    this.#tokens.delete(key)
  }

  #find(owner: string, id: string): Entry | undefined {
    return this.#options.file.value[owner]?.find(({ draft }) => draft.id === id)
  }

  async #update(owner: string, change: (entries: readonly Entry[]) => readonly Entry[]): Promise<void> {
    await this.#options.file.update(({ [owner]: mine = [], ...others }) => {
      const next = change(mine)
      return next.length === 0 ? others : { ...others, [owner]: next }
    })
    this.#publish()
  }

  #current(): string | null {
    const { value } = this.#options.account
    return value.kind === 'connected' ? ownerOf(value) : null
  }

  #publish(): void {
    this.latest.set(this.#summaries())
  }

  #summaries(): readonly DraftSummary[] {
    const owner = this.#current()
    if (owner === null) return []
    return (this.#options.file.value[owner] ?? [])
      .map((one) => summaryOf(one, this.#tokenState(owner, one)))
      .toSorted((a, b) => b.changedAt - a.changedAt)
  }

  #tokenState(owner: string, { draft, hadToken }: Entry): DraftToken {
    if (this.tokenOf(owner, draft.id) !== null) return 'held'
    return hadToken ? 'lost' : 'none'
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

/** Whether both say what one template said before it was deleted, or was to be. */
function isOfSameDeletion({ origin: one }: TemplateDraft, { origin: other }: TemplateDraft): boolean {
  return one.kind === 'deleted' && other.kind === 'deleted' && one.deleted.id === other.deleted.id
}

function tokenKey(owner: string, id: string): string {
  return JSON.stringify([owner, id])
}
