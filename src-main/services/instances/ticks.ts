import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'

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
  let pause = new AbortController()
  const changes = latest.watch(signal)
  // What is there already.
  await changes.next()
  void endPauses()

  // One reader for all ticks: the promise of the next change, raced anew at each tick, would keep every tick until then.
  async function endPauses(): Promise<void> {
    for await (const _ of changes) pause.abort()
  }

  while (!signal.aborted) {
    // Before the yield: a change while the tick is worked on counts.
    pause = new AbortController()
    yield
    const isOver = AbortSignal.any([signal, pause.signal])
    await clock.sleep(everyMs, isOver).catch(() => undefined) // woken
  }
}
