import { computed, shallowRef } from 'vue'
import { edited, editHistory, redone, undone } from './edit-history.ts'

/** What is being edited, with undo and redo. */
export function useEditHistory<T>(present: T) {
  const history = shallowRef(editHistory(present))
  return {
    present: computed(() => history.value.present),
    /** @param subject what is typed into: a word is undone as one step */
    edit: (next: T, subject: string | null = null): void => {
      history.value = edited(history.value, next, subject)
    },
    /** Begins anew: nothing before it can be brought back. */
    start: (next: T): void => {
      history.value = editHistory(next)
    },
    canUndo: computed(() => history.value.past.length > 0),
    canRedo: computed(() => history.value.future.length > 0),
    undo: (): void => {
      history.value = undone(history.value)
    },
    redo: (): void => {
      history.value = redone(history.value)
    },
  }
}
