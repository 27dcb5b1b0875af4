import { computed, shallowRef } from 'vue'
import { draftOfQuery, queryOfDraft, withUsualRows, type OfferDraft } from '#domain/offer-draft.ts'
import { defaultOfferQuery, type OfferQuery } from '#domain/offer.ts'
import { edited, editHistory, redone, undone } from '#ui/edit-history.ts'

/** The search as it is being edited, with undo and redo. */
export function useDraft() {
  const history = shallowRef(editHistory(withUsualRows(draftOfQuery(defaultOfferQuery))))
  const draft = computed(() => history.value.present)
  /** What the draft asks for, or what is wrong with it. */
  const asked = computed(() => queryOfDraft(draft.value))
  const wasEdited = computed(() => history.value.past.length > 0)

  /** @param subject what is typed into: a word is undone as one step */
  function edit(change: Partial<OfferDraft>, subject: string | null = null): void {
    history.value = edited(history.value, { ...draft.value, ...change }, subject)
  }
  /** Begins from another search; that can be undone, too. */
  function load(query: OfferQuery): void {
    edit(withUsualRows(draftOfQuery(query)))
  }
  /** Begins from another search before anything was edited. */
  function start(query: OfferQuery): void {
    history.value = editHistory(withUsualRows(draftOfQuery(query)))
  }

  return {
    draft,
    asked,
    wasEdited,
    edit,
    load,
    start,
    canUndo: computed(() => history.value.past.length > 0),
    canRedo: computed(() => history.value.future.length > 0),
    undo: () => {
      history.value = undone(history.value)
    },
    redo: () => {
      history.value = redone(history.value)
    },
  }
}
