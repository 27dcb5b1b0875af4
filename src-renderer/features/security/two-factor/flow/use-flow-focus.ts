import { nextTick, watch, type Ref } from 'vue'
import type { TwoFactorFlow } from '#domain/two-factor/flow.ts'

/**
 * Gives the keyboard to what is to be done next in a procedure (`data-next`), at each step and after each attempt.
 * What was typed is selected, so that typing replaces it. Whoever works elsewhere on the page is left alone.
 */
export function useFlowFocus(panel: Readonly<Ref<HTMLElement | null>>, flow: () => TwoFactorFlow): void {
  watch(
    [() => flow().id, () => placeIn(flow())],
    async ([id], [idBefore]) => {
      const isNew = idBefore !== id
      await nextTick()
      if (panel.value === null || flow().busy !== null) return
      const { activeElement } = document
      const isElsewhere = activeElement !== document.body && !panel.value.contains(activeElement)
      // Arrow keys walk through the ways to verify: the keyboard stays there.
      const isChoosing = activeElement instanceof HTMLInputElement && activeElement.type === 'radio'
      if ((isElsewhere && !isNew) || (isChoosing && !isNew)) return
      const next = nextIn(panel.value)
      if (next === null) return
      next.focus()
      if (next instanceof HTMLInputElement) next.select()
    },
    { immediate: true, flush: 'post' },
  )
}

/** A step that asks for nothing in particular leaves whoever is at work in it where they are. */
function nextIn(panel: HTMLElement): HTMLElement | null {
  const next = panel.querySelector<HTMLElement>('[data-next]')
  if (next !== null) return next
  return panel.contains(document.activeElement) ? null : panel
}

/** Where a procedure stands; what changes it gives the keyboard to what is next. */
function placeIn({ step, attempt, busy, refusal }: TwoFactorFlow): string {
  const sentAt = 'sent' in step ? (step.sent?.at ?? null) : null
  const chosen = 'chosen' in step ? step.chosen : null
  return JSON.stringify([step.kind, chosen, sentAt, attempt, busy === null, refusal?.kind])
}
