import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError, invalidInput } from '../../domain/base/problem.ts'
import {
  changesBetween,
  contentOf,
  isSameContent,
  type TemplateContent,
} from '../../domain/templates/template-content.ts'
import type { DraftToken } from '../../domain/templates/registry-token.ts'
import {
  initialOf,
  type RemoveResult,
  type SaveResult,
  type TemplateDraft,
} from '../../domain/templates/template-draft.ts'
import { formOf, readForm } from '../../domain/templates/template-form.ts'
import type { Template } from '../../domain/templates/template.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { Http } from '../rental-api/http.ts'
import { sendOnce, type Intent } from '../rental-api/send-once.ts'
import { findMade, lookUntil } from './template-lookup.ts'
import {
  createTemplate,
  deleteTemplate,
  editTemplate,
  findTemplate,
  searchAllTemplates,
} from '../rental-api/templates.ts'

/** What was sent of a draft and is not settled yet. */
interface Sent {
  readonly at: number
  readonly knownIds: readonly number[]
  readonly content: TemplateContent
}

/** Where drafts are kept, seen from here; template-drafts.ts provides it. */
export interface DraftShelf {
  readonly keep: (draft: TemplateDraft) => Promise<void>
  readonly discard: (id: string) => Promise<void>
  /** The draft that undoes the deletion of this template; `null` for none. */
  readonly undoOf: (templateId: number) => string | null
  /** What is sent as the token: empty to remove it, `null` for nothing. */
  readonly tokenOf: (id: string) => string | null
  readonly tokenStateOf: (id: string) => DraftToken
  readonly sentOf: (id: string) => Sent | null
  readonly markSent: (id: string, sent: Sent | null) => Promise<void>
}

export interface TemplateWriterOptions {
  readonly http: Http
  /** The service's id of the account. Throws as `AccountKey.userId` does. */
  readonly userId: () => Promise<number>
  readonly drafts: DraftShelf
  /** Told of each hash id that became another one. */
  readonly follow: (from: string, to: string) => Promise<void>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/**
 * Creates, edits and deletes templates so that nothing is done twice or lost: what is to be sent is on the disk
 * before the one request leaves, and when no reply comes, in this run or after a crash, the service's templates
 * decide what happened.
 */
export class TemplateWriter {
  readonly #options: TemplateWriterOptions
  readonly #queue = new SerialQueue()

  constructor(options: TemplateWriterOptions) {
    this.#options = options
  }

  /** @throws ProblemError `invalid-input` naming the field; otherwise when nothing was saved, or nothing is known of it */
  readonly save = (draft: TemplateDraft): Promise<SaveResult> =>
    this.#queue.take(async () => this.#settled(draft, await this.#save(draft)))

  /** @throws ProblemError when nothing was deleted, or nothing is known of it */
  readonly remove = (id: number): Promise<RemoveResult> => this.#queue.take(() => this.#remove(id))

  async #save(draft: TemplateDraft): Promise<SaveResult> {
    const { drafts } = this.#options
    const base = draft.origin.kind === 'edit' ? draft.origin.base : null
    const token = drafts.tokenOf(draft.id)
    const initial = initialOf(draft.origin)
    const state = drafts.tokenStateOf(draft.id)
    const { content, problems } = readForm(draft.form, base && contentOf(base), state, initial)
    const [wrong] = Object.entries(problems)
    if (wrong) throw invalidInput(wrong[0], { code: 'wrong-value' })
    await drafts.keep(draft)
    if (base !== null) return this.#edit(draft, { base, content, token })
    const sent = drafts.sentOf(draft.id)
    return sent === null
      ? this.#create(draft, { content, token })
      : this.#lookForMade(draft, { sent, content, since: sent.at })
  }

  async #create(
    draft: TemplateDraft,
    { content, token }: { readonly content: TemplateContent; readonly token: string | null },
  ): Promise<SaveResult> {
    const { http, clock, log } = this.#options
    const creatorId = await this.#options.userId()
    if (draft.origin.kind === 'deleted') {
      // Its deletion may have been cut off.
      const still = await findTemplate(http, draft.origin.deleted.id)
      if (still !== null)
        return isSameContent(content, contentOf(still))
          ? { kind: 'saved', template: still, wasLost: true }
          : { kind: 'conflict', theirs: still }
    }
    const mine = await searchAllTemplates(http, { creator_id: { eq: creatorId } })
    const sent: Sent = { at: clock.now(), knownIds: mine.map(({ id }) => id), content }
    return sendOnce<SaveResult>(
      this.#intent(draft, sent),
      async () => {
        const made = await createTemplate(http, content, token)
        return {
          kind: 'saved',
          template: { ...made, creator_id: made.creator_id ?? creatorId },
          wasLost: false,
        }
      },
      (error) => {
        log.error('No usable reply to the creation of a template', error)
        return this.#lookForMade(draft, { sent, content, since: clock.now() })
      },
    )
  }

  async #lookForMade(
    draft: TemplateDraft,
    {
      sent,
      content,
      since,
    }: { readonly sent: Sent; readonly content: TemplateContent; readonly since: number },
  ): Promise<SaveResult> {
    const { http, userId, drafts, clock } = this.#options
    const found = await lookUntil({ clock, since }, async () =>
      findMade(await searchAllTemplates(http, { creator_id: { eq: await userId() } }), sent),
    )
    if (found === null) {
      await drafts.markSent(draft.id, null)
      return { kind: 'not-saved' }
    }
    if (isSameContent(content, sent.content)) return { kind: 'saved', template: found, wasLost: true }
    // What was changed since is an edit of what was made. Until it has become one, it stays sent: never made twice.
    return { kind: 'conflict', theirs: found }
  }

  async #edit(
    draft: TemplateDraft,
    edit: {
      readonly base: Template
      readonly content: TemplateContent
      readonly token: string | null
    },
  ): Promise<SaveResult> {
    const { http, userId, drafts, clock, log } = this.#options
    const { base, content, token } = edit
    const changes = changesBetween(contentOf(base), content)
    if (Object.keys(changes).length === 0 && token === null)
      throw invalidInput('name', { code: 'nothing-to-save' })
    const now = await findTemplate(http, base.id)
    const outcome = await this.#outcomeOfEdit(draft, { base, now, content })
    if (outcome !== null) return outcome
    const same = await searchAllTemplates(http, {
      hash_id: { eq: base.hash_id },
      creator_id: { eq: await userId() },
    })
    const twins = same.filter((one) => one.id !== base.id)
    if (twins.length > 0) return { kind: 'twins', ids: twins.map(({ id }) => id) }
    const look = async (): Promise<SaveResult | null> =>
      this.#outcomeOfEdit(draft, { base, now: await findTemplate(http, base.id), content })
    try {
      return await sendOnce<SaveResult>(
        this.#intent(draft, { at: clock.now(), knownIds: [], content }),
        async () => ({
          kind: 'saved',
          template: await editTemplate(http, base, changes, token),
          wasLost: false,
        }),
        async (error) => {
          log.error('No usable reply to the edit of a template', error)
          const known = await lookUntil({ clock, since: clock.now() }, look)
          if (known === null) await drafts.markSent(draft.id, null)
          return known ?? { kind: 'not-saved' }
        },
      )
    } catch (error) {
      // A refusal is an answer: one look tells whether somebody else was faster.
      const isRefused = error instanceof ProblemError && error.problem.kind === 'refused'
      const known = isRefused ? await look() : null
      if (known === null) throw error
      return known
    }
  }

  /** What the service's template says about an edit: `null` while it is as it was before. */
  async #outcomeOfEdit(
    draft: TemplateDraft,
    {
      base,
      now,
      content,
    }: { readonly base: Template; readonly now: Template | null; readonly content: TemplateContent },
  ): Promise<SaveResult | null> {
    const { drafts, follow } = this.#options
    if (now?.hash_id === base.hash_id) return null
    if (now === null) {
      await drafts.markSent(draft.id, null)
      return { kind: 'gone' }
    }
    // A token that was entered is not seen in what comes back: only what was sent with it counts as saved.
    const isOurs = drafts.tokenOf(draft.id) === null || drafts.sentOf(draft.id) !== null
    if (isOurs && isSameContent(content, contentOf(now)))
      return { kind: 'saved', template: now, wasLost: true }
    await follow(base.hash_id, now.hash_id)
    await drafts.markSent(draft.id, null)
    return { kind: 'conflict', theirs: now }
  }

  /**
   * Takes note of a template that is saved: whoever names the former hash id means the new one, and the draft is over.
   */
  async #settled({ id, origin }: TemplateDraft, result: SaveResult): Promise<SaveResult> {
    if (result.kind !== 'saved') return result
    const { drafts, follow, log } = this.#options
    const { hash_id: hash } = result.template
    if (origin.kind === 'edit') await follow(origin.base.hash_id, hash)
    if (origin.kind === 'deleted') await follow(origin.deleted.hash_id, hash)
    try {
      await drafts.discard(id)
    } catch (error) {
      log.error('The draft of a template that was saved is still there', error)
    }
    return result
  }

  /** That the draft is sent: in it, so that its next saving looks for what this one may have left. */
  #intent({ id }: TemplateDraft, sent: Sent): Intent {
    const { drafts } = this.#options
    return { keep: () => drafts.markSent(id, sent), drop: () => drafts.markSent(id, null) }
  }

  async #remove(id: number): Promise<RemoveResult> {
    const { http, drafts, clock, randomId, log } = this.#options
    const deleted = await findTemplate(http, id)
    if (deleted === null) {
      // A deletion without a reply may have come late.
      const undo = drafts.undoOf(id)
      return undo === null ? { kind: 'gone' } : { kind: 'deleted', draftId: undo, wasLost: true }
    }
    const draftId = randomId()
    const form = formOf(contentOf(deleted))
    return sendOnce<RemoveResult>(
      {
        keep: () => drafts.keep({ id: draftId, origin: { kind: 'deleted', deleted }, form }),
        drop: () => drafts.discard(draftId),
      },
      async () => {
        await deleteTemplate(http, id)
        return { kind: 'deleted', draftId, wasLost: false }
      },
      async (error) => {
        log.error(`No usable reply to the deletion of template ${id}`, error)
        const isGone = await lookUntil({ clock, since: clock.now() }, async () =>
          (await findTemplate(http, id)) === null ? true : null,
        )
        // The service may still be at it: then the draft is all that is left of the template.
        return isGone === null ? { kind: 'not-deleted' } : { kind: 'deleted', draftId, wasLost: true }
      },
    )
  }
}
