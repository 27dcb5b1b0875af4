import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue'

/** Who wants something to themselves, in the order in which they came. */
const waiting = shallowRef<readonly symbol[]>([])

/** Whether it is this scope's turn, of all that want one: whoever came first has it until it wants it no more. */
export function useTurn(wants: () => boolean): ComputedRef<boolean> {
  const self = Symbol('turn')

  function leave(): void {
    waiting.value = waiting.value.filter((each) => each !== self)
  }

  watch(
    wants,
    (now) => {
      leave()
      if (now) waiting.value = [...waiting.value, self]
    },
    { immediate: true },
  )
  onScopeDispose(leave)
  return computed(() => waiting.value[0] === self)
}
