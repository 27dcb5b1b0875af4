import { onScopeDispose, readonly, shallowReadonly, shallowRef, type ShallowRef } from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import { isEndOfConnection, toProblem } from './problem.ts'

/** Pause before a watch that ended or failed is asked for again, in milliseconds. */
const firstPauseMs = 250
const longestPauseMs = 5_000

export interface Watched<T> {
  /** The newest value; `null` before the first one. It stays when the watch is interrupted. */
  readonly latest: Readonly<ShallowRef<T | null>>
  /** Why there is no news at the moment; `null` when all is well. */
  readonly problem: Readonly<ShallowRef<Problem | null>>
}

type Subscribe<T> = (
  input: undefined,
  options: { readonly signal: AbortSignal },
) => Promise<AsyncIterable<T, unknown, unknown>>

/**
 * Follows one of main's `watch` calls for as long as the surrounding component or store lives:
 *
 *     const { latest: settings } = useWatch(client.settings.watch)
 *     const { latest } = useWatch((_, options) => client.terminals.watch({ terminalId }, options))
 *
 * Values that several parts of the window need are already followed once: see the stores in shared/.
 */
export function useWatch<T>(subscribe: Subscribe<T>): Watched<T> {
  const latest = shallowRef<T | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const stop = new AbortController()
  onScopeDispose(() => {
    stop.abort()
  })

  async function follow(): Promise<void> {
    let pauseMs = firstPauseMs
    while (!stop.signal.aborted) {
      try {
        for await (const value of await subscribe(undefined, { signal: stop.signal })) {
          latest.value = value
          problem.value = null
          pauseMs = firstPauseMs
        }
      } catch (error) {
        // Leaving is reported as an error too; it is none. Neither is the end of main, which ends this page too.
        if (stop.signal.aborted || isEndOfConnection(error)) return
        problem.value = toProblem(error)
      }
      await pause(pauseMs, stop.signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
  void follow()

  return { latest: shallowReadonly(latest), problem: readonly(problem) }
}

/** Resolves after `ms`, or at once when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
