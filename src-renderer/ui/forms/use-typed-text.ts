import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'

interface TypedText {
  /** Belongs into the field. */
  readonly typed: Ref<string>
  /** Whether it would be kept as something else than what is kept. */
  readonly isChanged: ComputedRef<boolean>
}

/**
 * A field over a kept text. It follows that, which may come late or be changed elsewhere, until something is typed:
 * what is typed is never taken away.
 *
 * @param asKept what is typed as it would be kept; `null` while it cannot be
 */
export function useTypedText(
  kept: () => string,
  asKept: (typed: string) => string | null = (text) => text.trim(),
): TypedText {
  const typed = ref(kept())
  const isChanged = computed(() => asKept(typed.value) !== kept())
  watch(kept, (now, before) => {
    if (asKept(typed.value) === before) typed.value = now
  })
  return { typed, isChanged }
}
