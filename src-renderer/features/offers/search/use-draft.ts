import { computed } from 'vue'
import { defaultOfferQuery, type OfferQuery } from '#domain/offers/offer.ts'
import { useEditHistory } from '#ui/use-edit-history.ts'
import { draftOfQuery, queryOfDraft, withUsualRows, type OfferDraft } from './offer-draft.ts'

/** The search as it is being edited, with undo and redo. */
export function useDraft() {
  const history = useEditHistory(withUsualRows(draftOfQuery(defaultOfferQuery)))
  const { present: draft, canUndo, canRedo, undo, redo } = history
  /** What the draft asks for, or what is wrong with it. */
  const asked = computed(() => queryOfDraft(draft.value))

  /** @param subject what is typed into: a word is undone as one step */
  function edit(change: Partial<OfferDraft>, subject: string | null = null): void {
    history.edit({ ...draft.value, ...change }, subject)
  }
  /** Begins from another search; that can be undone, too. */
  function load(query: OfferQuery): void {
    edit(withUsualRows(draftOfQuery(query)))
  }
  /** Begins from another search before anything was edited. */
  function start(query: OfferQuery): void {
    history.start(withUsualRows(draftOfQuery(query)))
  }

  return {
    draft,
    asked,
    wasEdited: canUndo,
    edit,
    load,
    start,
    canUndo,
    canRedo,
    undo,
    redo,
  }
}
