import { z } from 'zod'
import { draftToken } from './registry-token.ts'
import { template } from './template.ts'
import {
  contentOf,
  emptyContent,
  templateChanges,
  withChanges,
  type TemplateContent,
} from './template-content.ts'
import { templateForm } from './template-form.ts'
import { hiddenSwitches } from './template-runtype.ts'

/** A template that is being written, as it is kept on this computer. Without the registry's token. */
export const templateDraft = z.object({
  /** Made by the window: a random UUID. */
  id: z.uuid(),
  origin: z.discriminatedUnion('kind', [
    /** `hidden`: what it says that its form does not show, because it matters to other run types. */
    z.object({ kind: z.literal('new'), hidden: templateChanges.optional() }),
    /** An edit, with the template as it was when the edit began, or was last merged. */
    z.object({ kind: z.literal('edit'), base: template }),
    /** What a deleted template said: creating it undoes the deletion. */
    z.object({ kind: z.literal('deleted'), deleted: template }),
  ]),
  form: templateForm,
})
export type TemplateDraft = z.infer<typeof templateDraft>

/** Where a new template comes from that begins with what another one says. */
export function newOrigin(content: TemplateContent): TemplateDraft['origin'] {
  const hidden = hiddenSwitches(content.runtype).map((field) => [field, content[field]] as const)
  return { kind: 'new', hidden: templateChanges.parse(Object.fromEntries(hidden)) }
}

/** What a template says where nothing was typed. */
export function initialOf(origin: TemplateDraft['origin']): TemplateContent {
  switch (origin.kind) {
    case 'new':
      return withChanges(emptyContent, origin.hidden ?? {})
    case 'edit':
      return contentOf(origin.base)
    case 'deleted':
      return contentOf(origin.deleted)
  }
}

/** A draft with what main knows of it. */
export const keptDraft = z.object({
  draft: templateDraft,
  /** Milliseconds since the epoch. */
  changedAt: z.number(),
  token: draftToken,
  /** It was sent, and whether the service took it is not known yet: saving it looks first. */
  isUnsettled: z.boolean(),
})
export type KeptDraft = z.infer<typeof keptDraft>

/** A line of the list of drafts. */
export const draftSummary = z.object({
  id: templateDraft.shape.id,
  kind: z.enum(['new', 'edit', 'deleted']),
  /** Of the template that is edited; `null` for others. */
  templateId: z.number().int().nullable(),
  name: z.string(),
  image: z.string(),
  changedAt: keptDraft.shape.changedAt,
  token: draftToken,
  isUnsettled: z.boolean(),
})
export type DraftSummary = z.infer<typeof draftSummary>

/** What became of saving a draft. */
export const saveResult = z.discriminatedUnion('kind', [
  /** The draft is gone, the template is there; `wasLost`: no reply came, and looking for it found it. */
  z.object({ kind: z.literal('saved'), template, wasLost: z.boolean() }),
  /** Somebody else has edited it since: nothing was sent. */
  z.object({ kind: z.literal('conflict'), theirs: template }),
  /** The template is there no more: nothing was sent. It can be created anew. */
  z.object({ kind: z.literal('gone') }),
  /** Other templates say exactly the same, and the service would change whichever it finds first: nothing was sent. */
  z.object({ kind: z.literal('twins'), ids: z.array(z.number().int()).readonly() }),
  /** No reply came, and the service does not have it: nothing was saved. */
  z.object({ kind: z.literal('not-saved') }),
])
export type SaveResult = z.infer<typeof saveResult>

/** What became of deleting a template. */
export const removeResult = z.discriminatedUnion('kind', [
  /** What it said is kept as the draft `draftId`. `wasLost`: no reply came, and it is gone. */
  z.object({ kind: z.literal('deleted'), draftId: templateDraft.shape.id, wasLost: z.boolean() }),
  /** It was not there any more. */
  z.object({ kind: z.literal('gone') }),
  /** No reply came, and it is still there. What it said is kept as a draft all the same: it may go yet. */
  z.object({ kind: z.literal('not-deleted') }),
])
export type RemoveResult = z.infer<typeof removeResult>
