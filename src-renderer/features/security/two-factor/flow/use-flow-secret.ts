import {
  computed,
  onScopeDispose,
  shallowReadonly,
  shallowRef,
  watch,
  type ComputedRef,
  type ShallowRef,
} from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import type { HiddenBy } from '#domain/vault/vault-view.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'
import { useWatch } from '#ipc/watch.ts'

export interface FlowSecret<T> {
  /** `null` before it is read, and as soon as it must leave the screen. */
  readonly secret: Readonly<ShallowRef<T | null>>
  /** Why it is not shown; it can be shown again. */
  readonly hiddenBy: ComputedRef<HiddenBy | null>
  readonly problem: Readonly<ShallowRef<Problem | null>>
  readonly read: () => Promise<void>
}

/**
 * A secret that a step shows. The window is kept out of screenshots meanwhile, and holds it no longer than it may be
 * seen, nor longer than the surrounding component lives.
 */
export function useFlowSecret<T>(load: () => Promise<T>): FlowSecret<T> {
  const { latest: screen } = useWatch(client.vault.watchScreen)
  const secret = shallowRef<T | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const hiddenBy = computed(() => screen.value?.hiddenBy ?? null)
  let isOver = false

  async function read(): Promise<void> {
    problem.value = null
    try {
      const read = await load()
      // The screen may have been hidden, or the step left, while it was asked for.
      if (!isOver && hiddenBy.value === null) secret.value = read
    } catch (error) {
      if (!isOver) problem.value = toProblem(error)
    }
  }
  // Not before main has said that it may be seen.
  watch(screen, (state) => {
    if (state === null) return
    if (state.hiddenBy !== null) secret.value = null
    else if (secret.value === null) void read()
  })
  onScopeDispose(() => {
    isOver = true
    secret.value = null
  })
  return { secret: shallowReadonly(secret), hiddenBy, problem: shallowReadonly(problem), read }
}
