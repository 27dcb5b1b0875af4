import { useToast } from '@nuxt/ui/composables/useToast'
import { readonly, ref, shallowReadonly, shallowRef, type Ref, type ShallowRef } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import { SerialQueue } from '#domain/base/serial-queue.ts'
import { toProblem } from '#ipc/problem.ts'
import type { Attempt } from './problems/attempt.ts'
import { finishBeforeEnd } from './pending-saves.ts'
import { rememberKeyboard } from './page-focus.ts'
import { problemText } from './problems/problem-text.ts'

export interface Action<Args extends readonly unknown[]> {
  /** True while it runs: give it to the button as `loading`. */
  readonly pending: Readonly<Ref<boolean>>
  /** Why the last run failed; `null` while it runs and after success. */
  readonly problem: Readonly<ShallowRef<Problem | null>>
  /** Runs it; while it is running already, `inTurn` and `atOnce` say what becomes of that. True when it succeeded. */
  readonly run: (...args: Args) => Promise<boolean>
  readonly clear: () => void
}

interface ActionOptions {
  readonly attempt: Attempt
  /** Where a failure is told: a toast, or `problem` only, for a ProblemNotice beside the button. */
  readonly failure?: 'toast' | 'in-place'
  /**
   * What is asked for while it runs waits for its turn: for what is done to several things, or several times. Without
   * it that is refused, so that nothing is done twice.
   */
  readonly inTurn?: boolean
  /**
   * As `inTurn`, but it waits for nothing: for what must be read as it is now, and for things of which one may take long,
   * such as on several instances.
   */
  readonly atOnce?: boolean
}

/**
 * One thing a user can do, from button to result. Success is told where it shows, so there is no toast for it:
 *
 *     const stop = useAction((id: number) => client.instances.stop({ id }), { attempt: 'stop' })
 *     <UButton label="Stop" :loading="stop.pending.value" @click="stop.run(id)" />
 */
export function useAction<Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<unknown>,
  { attempt, failure = 'toast', inTurn = false, atOnce = false }: ActionOptions,
): Action<Args> {
  const toast = useToast()
  const pending = ref(false)
  const problem = shallowRef<Problem | null>(null)

  const queue = new SerialQueue()
  let underWay = 0

  function run(...args: Args): Promise<boolean> {
    if (pending.value && !inTurn && !atOnce) return Promise.resolve(false)
    const outcome = attemptIt(args)
    // What only shows something need not be finished.
    return attempt === 'load' || attempt === 'search' ? outcome : finishBeforeEnd(outcome)
  }

  async function attemptIt(args: Args): Promise<boolean> {
    underWay += 1
    pending.value = true
    problem.value = null
    const giveKeyboardBack = rememberKeyboard()
    try {
      await (inTurn ? queue.take(() => work(...args)) : work(...args))
    } catch (error) {
      const failed = toProblem(error)
      problem.value = failed
      if (failure === 'toast') toast.add(failureToast(failed, attempt))
      return false
    } finally {
      underWay -= 1
      pending.value = underWay > 0
      void giveKeyboardBack()
    }
    return true
  }

  function clear(): void {
    problem.value = null
  }

  return { pending: readonly(pending), problem: shallowReadonly(problem), run, clear }
}

function failureToast(problem: Problem, attempt: Attempt): Parameters<ReturnType<typeof useToast>['add']>[0] {
  const { title, meaning, nextStep } = problemText(problem, attempt)
  // It stays until it is closed: it says what something costs.
  return {
    title,
    description: `${meaning} ${nextStep}`,
    icon: 'i-lucide-circle-alert',
    color: 'error',
    duration: 0,
  }
}
