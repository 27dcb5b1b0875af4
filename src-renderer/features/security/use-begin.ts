import { readonly, shallowReadonly, shallowRef, type Ref, type ShallowRef } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import type { FlowGoal } from '#domain/two-factor/flow.ts'
import type { KeptIn } from '#domain/vault/vault-view.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'
import { useKeeping } from './use-keeping.ts'

export interface Begin {
  readonly pending: Readonly<Ref<boolean>>
  /** Why the last one could not be begun; nothing was asked of the service then. */
  readonly problem: Readonly<ShallowRef<Problem | null>>
  readonly begin: (goal: FlowGoal) => Promise<void>
  /** The last one once more, for instance with what it makes kept in memory. */
  readonly again: (keepIn?: KeptIn) => Promise<void>
}

/** Begins guided procedures. */
export function useBegin(): Begin {
  const usualPlace = useKeeping()
  const wanted = shallowRef<FlowGoal | null>(null)
  const { pending, problem, run } = useAction(
    (goal: FlowGoal, keepIn: KeptIn) => client.twoFactor.begin({ goal, keepIn }),
    { attempt: 'save', failure: 'in-place' },
  )
  async function begin(goal: FlowGoal): Promise<void> {
    wanted.value = goal
    await run(goal, usualPlace.value)
  }
  async function again(keepIn: KeptIn = usualPlace.value): Promise<void> {
    if (wanted.value !== null) await run(wanted.value, keepIn)
  }
  return { pending: readonly(pending), problem: shallowReadonly(problem), begin, again }
}
