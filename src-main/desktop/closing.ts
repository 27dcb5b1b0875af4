import type { App } from '../app.ts'
import type { Clock } from '../domain/clock.ts'
import { closeQuestion } from '../domain/unfinished.ts'

/** A page that hangs must not keep the window open. */
const leaveMs = 3_000

/** What of a window is needed here; Electron's has it. */
interface ClosingWindow {
  readonly on: (name: 'close', listener: (event: { preventDefault: () => void }) => void) => unknown
  readonly close: () => void
}

/** To close in: `enough` to ask, `seconds` with nobody there to answer, or `none`. */
export type TimeLeft = 'enough' | 'seconds' | 'none'

/**
 * Before the window closes, asks over what nobody sees to then, and lets its pages keep what they still hold, as far as
 * there is time for it.
 *
 * @param ask resolves to whether it is to be closed
 */
export function closeInOrder(
  window: ClosingWindow,
  {
    unfinished,
    timeLeft,
    ask,
    tellPages,
    clock,
    log,
  }: Pick<App, 'unfinished' | 'tellPages' | 'log'> & {
    readonly timeLeft: () => TimeLeft
    readonly ask: (question: { readonly message: string; readonly detail: string }) => Promise<boolean>
    readonly clock: Clock
  },
): void {
  let stand: 'open' | 'asking' | 'leaving' | 'ready' = 'open'
  window.on('close', (event) => {
    const left = timeLeft()
    if (stand === 'ready' || left === 'none') return
    event.preventDefault()
    if (stand === 'open' && left === 'enough') void askFirst()
    // It need not be answered any more.
    else if (stand !== 'leaving' && left === 'seconds') void leave()
  })

  async function askFirst(): Promise<void> {
    stand = 'asking'
    const agreed = await isAgreed()
    if (stand !== 'asking') return
    if (agreed) await leave()
    else stand = 'open'
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
    stand = 'leaving'
    const late = clock.sleep(leaveMs).then(() => 'late' as const)
    if ((await Promise.race([tellPages(), late])) === 'late')
      log.warn(`A page was still at work ${leaveMs} ms after it was told of the end`)
    stand = 'ready'
    window.close()
  }
}
