import type { App } from '../app.ts'
import type { Clock } from '../domain/clock.ts'
import { closeQuestion } from '../domain/unfinished.ts'

/** A page that hangs must not keep the window open. */
const leaveMs = 1_000

/** What of a window is needed here; Electron's has it. */
interface ClosingWindow {
  readonly on: (name: 'close', listener: (event: { preventDefault: () => void }) => void) => unknown
  readonly close: () => void
}

/**
 * Before the window closes, asks over what nobody sees to then, and lets its pages keep what they still hold. Not when
 * the system ends everything: it would only hold up the shutdown, until it is killed.
 *
 * @param ask resolves to whether it is to be closed
 */
export function closeInOrder(
  window: ClosingWindow,
  {
    unfinished,
    isSystemEnding,
    ask,
    tellPages,
    clock,
    log,
  }: Pick<App, 'unfinished' | 'tellPages' | 'log'> & {
    readonly isSystemEnding: () => boolean
    readonly ask: (question: { readonly message: string; readonly detail: string }) => Promise<boolean>
    readonly clock: Clock
  },
): void {
  let stand: 'open' | 'closing' | 'ready' = 'open'
  window.on('close', (event) => {
    if (stand === 'ready' || isSystemEnding()) return
    event.preventDefault()
    if (stand === 'open') void close()
  })

  async function close(): Promise<void> {
    stand = 'closing'
    if (!(await isAgreed())) {
      stand = 'open'
      return
    }
    await leave()
    stand = 'ready'
    window.close()
  }

  async function isAgreed(): Promise<boolean> {
    const question = closeQuestion(unfinished())
    if (question === null) return true
    try {
      return await ask(question)
    } catch (error) {
      // A window that cannot be closed would be worse.
      log.error('Could not ask before closing', error)
      return true
    }
  }

  async function leave(): Promise<void> {
    const late = clock.sleep(leaveMs).then(() => 'late' as const)
    if ((await Promise.race([tellPages(), late])) === 'late')
      log.warn(`A page was still at work ${leaveMs} ms after it was told of the end`)
  }
}
