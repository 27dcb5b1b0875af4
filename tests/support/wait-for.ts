import { vi } from 'vitest'

/** For failing only: whatever comes at all has come by then, also on a machine that has much else to do. */
const patienceMs = 30_000

/**
 * Waits until `check` no longer throws, and gives what it answers. In place of Vitest's own `vi.waitFor`, whose
 * patience of a second is over now and then while everything is as it should be.
 *
 * @throws what `check` threw last
 */
export function waitFor<T>(
  check: () => T | Promise<T>,
  {
    intervalMs = 50,
    timeoutMs = patienceMs,
  }: { readonly intervalMs?: number; readonly timeoutMs?: number } = {},
): Promise<T> {
  return vi.waitFor(check, { interval: intervalMs, timeout: timeoutMs })
}
