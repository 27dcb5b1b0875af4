import type { Clock } from '../domain/clock.ts'
import type { Latest } from '../domain/latest.ts'

/**
 * Yields at once, after each change of `latest`, and at least every `everyMs`: for what depends on the list and
 * on the time. The pauses are short, because a timer does not run while the machine sleeps. Ends when the signal
 * is aborted.
 */
export async function* ticks(
  latest: Pick<Latest<unknown>, 'watch'>,
  {
    clock,
    everyMs,
    signal,
  }: { readonly clock: Clock; readonly everyMs: number; readonly signal: AbortSignal },
): AsyncGenerator<void, void, void> {
  const changes = latest.watch(signal)
  let change = changes.next()
  while (!signal.aborted) {
    const pause = new AbortController()
    const slept = clock.sleep(everyMs, AbortSignal.any([signal, pause.signal])).then(
      () => 'time' as const,
      () => 'woken' as const,
    )
    const why = await Promise.race([slept, change.then(() => 'change' as const)])
    pause.abort()
    if (signal.aborted) return
    if (why === 'change') change = changes.next()
    yield
  }
}
