import { nextTick, watch, type Ref } from 'vue'
import type { SecurityFlow } from '#domain/security-flow.ts'

/**
 * Gives the keyboard to what is to be done next in a procedure (`data-next`), at each step and after each attempt.
 * What was typed is selected, so that typing replaces it. Whoever works elsewhere on the page is left alone.
 */
export function useFlowFocus(panel: Readonly<Ref<HTMLElement | null>>, flow: () => SecurityFlow): void {
  watch(
    () => {
      const { id, step, attempt, busy, refusal } = flow()
      const sentAt = 'sent' in step ? (step.sent?.at ?? null) : null
      const chosen = 'chosen' in step ? step.chosen : null
      return [id, step.kind, chosen, sentAt, attempt, busy === null, refusal?.kind] as const
    },
    async ([id], before) => {
      const isNew = before === undefined || before[0] !== id
      await nextTick()
      if (panel.value === null || flow().busy !== null) return
      const { activeElement } = document
      const isElsewhere = activeElement !== document.body && !panel.value.contains(activeElement)
      // Arrow keys walk through the ways to verify: the keyboard stays there.
      const isChoosing = activeElement instanceof HTMLInputElement && activeElement.type === 'radio'
      if ((isElsewhere && !isNew) || (isChoosing && !isNew)) return
      const next = panel.value.querySelector<HTMLElement>('[data-next]') ?? panel.value
      next.focus()
      if (next instanceof HTMLInputElement) next.select()
    },
    { immediate: true, flush: 'post' },
  )
}
