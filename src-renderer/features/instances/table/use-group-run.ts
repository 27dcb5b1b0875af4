import { computed, ref, shallowRef } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import { toProblem } from '#ipc/problem.ts'
import { finishBeforeEnd } from '#ui/pending-saves.ts'
import type { GroupResult } from './group-text.ts'
import { runForAll } from './run-for-all.ts'

/**
 * Asks for the same for each of several instances, a few at a time, and keeps what became of each.
 *
 * @param ask resolves with what the call itself didn't tell
 */
export function useGroupRun(ids: () => readonly number[], ask: (id: number) => Promise<Problem | null>) {
  const running = ref(false)
  /** By instance id; none before the first run. */
  const results = shallowRef<ReadonlyMap<number, GroupResult>>(new Map())
  const failed = computed(() => ids().filter((id) => results.value.get(id)?.kind === 'failed'))

  function settle(id: number, result: GroupResult): void {
    results.value = new Map(results.value).set(id, result)
  }
  async function askOne(id: number): Promise<void> {
    settle(id, { kind: 'asking' })
    const problem = await ask(id).catch(toProblem)
    settle(id, problem === null ? { kind: 'accepted' } : { kind: 'failed', problem })
  }

  /** Resolves with whether all have accepted it. */
  async function run(asked: readonly number[]): Promise<boolean> {
    running.value = true
    for (const id of asked) settle(id, { kind: 'waiting' })
    // Those that were not asked yet would go on and be charged.
    await finishBeforeEnd(runForAll(asked, askOne))
    running.value = false
    return failed.value.length === 0
  }
  function forget(): void {
    results.value = new Map()
  }
  return { running, results, failed, run, forget }
}
