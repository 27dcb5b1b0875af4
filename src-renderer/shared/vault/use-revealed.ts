import { onScopeDispose, readonly, ref, shallowReadonly, shallowRef, type Ref, type ShallowRef } from 'vue'
import type { HiddenBy } from '#domain/vault/vault-view.ts'
import type { Problem } from '#domain/base/problem.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'

/** Not readonly: only exactly the contract's own type is told apart from what is shown. */
export type Ended = { kind: 'ended'; by: 'time' | HiddenBy }

export interface Revealed<T> {
  /** What main shows now; `null` before, and as soon as it must go. */
  readonly shown: Readonly<ShallowRef<T | null>>
  /** Why it is not shown any more. */
  readonly endedBy: Readonly<Ref<Ended['by'] | null>>
  readonly problem: Readonly<ShallowRef<Problem | null>>
  /** Shows it, or shows it again. */
  readonly show: () => Promise<void>
}

/**
 * A secret that main shows for a limited time. The window holds it no longer than that, nor longer than the
 * surrounding component lives.
 */
export function useRevealed<T extends { readonly kind: 'shown' }>(
  reveal: (signal: AbortSignal) => Promise<AsyncIterable<T | Ended, unknown, unknown>>,
): Revealed<T> {
  const shown = shallowRef<T | null>(null)
  const endedBy = ref<Ended['by'] | null>(null)
  const problem = shallowRef<Problem | null>(null)
  let leave = new AbortController()

  async function show(): Promise<void> {
    leave.abort()
    leave = new AbortController()
    const { signal } = leave
    endedBy.value = null
    problem.value = null
    try {
      // Whoever asks for it is there again, whatever hid everything before.
      await client.vault.show(undefined, { signal })
      for await (const next of await reveal(signal)) {
        if (next.kind === 'shown') shown.value = next
        else endedBy.value = next.by
        if (next.kind === 'ended') break
      }
    } catch (error) {
      if (!signal.aborted) problem.value = toProblem(error)
    } finally {
      if (!signal.aborted) shown.value = null
    }
  }

  onScopeDispose(() => {
    leave.abort()
    shown.value = null
  })
  return {
    shown: shallowReadonly(shown),
    endedBy: readonly(endedBy),
    problem: shallowReadonly(problem),
    show,
  }
}
