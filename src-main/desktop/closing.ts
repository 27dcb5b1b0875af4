import type { App } from '../app/create-app.ts'
import type { Clock } from '../domain/base/clock.ts'
import { closeQuestion, type CloseAnswer, type CloseQuestion } from '../domain/accounts/pending-work.ts'

/** A page that hangs must not keep the window open. */
const leaveMs = 3_000
/** The same when the system ends everything; the program's parts still have to end after it (quit.ts). */
const hurriedLeaveMs = 1_000

/** What of a window is needed here; Electron's has it. */
interface ClosingWindow {
  readonly on: (name: 'close', listener: (event: { preventDefault: () => void }) => void) => unknown
  readonly close: () => void
}

/** To end in: `enough` to ask; `unattended`, with nobody there to answer; `seconds`, until the system does it; `none`. */
export type TimeLeft = 'enough' | 'unattended' | 'seconds' | 'none'

export interface ClosingOptions extends Pick<App, 'pendingWork' | 'tellPages' | 'log'> {
  readonly timeLeft: () => TimeLeft
  /** `never` where nothing would show that Slipway goes on, or when it is told to quit. */
  readonly mayHide: () => 'never' | 'ask' | 'always'
  /** Takes the window from the screen; Slipway goes on. */
  readonly hide: () => void
  readonly ask: (question: CloseQuestion) => Promise<CloseAnswer>
  readonly clock: Clock
}

/**
 * Before the window closes, asks over what nobody sees to then, and lets its pages keep what they still hold, as far as
 * there is time for it. Where Slipway may go on without its window, that is hidden instead.
 */
export function closeInOrder(
  window: ClosingWindow,
  { pendingWork, timeLeft, mayHide, hide, ask, tellPages, clock, log }: ClosingOptions,
): void {
  let stand: 'open' | 'asking' | 'leaving' | 'ready' = 'open'
  window.on('close', (event) => {
    const left = timeLeft()
    if (left === 'none') stand = 'ready'
    if (stand === 'ready') return
    event.preventDefault()
    if (left === 'enough') {
      if (stand === 'open') void askFirst()
      // The question need not be answered any more.
    } else if (stand !== 'leaving') void leave()
    if (left === 'seconds') void closeLate(hurriedLeaveMs)
  })

  async function askFirst(): Promise<void> {
    stand = 'asking'
    const answer = await answered()
    if (stand !== 'asking') return
    if (answer === 'close') return leave()
    stand = 'open'
    if (answer === 'hide') hide()
  }

  async function answered(): Promise<CloseAnswer> {
    const may = mayHide()
    const question = closeQuestion(pendingWork(), may !== 'never')
    if (question === null) return 'close'
    if (may === 'always') return 'hide'
    try {
      return await ask(question)
    } catch (error) {
      // A window that cannot be closed would be worse.
      log.error('Could not ask before closing', error)
      return 'close'
    }
  }

  async function leave(): Promise<void> {
    stand = 'leaving'
    void closeLate(leaveMs)
    await tellPages()
    close()
  }

  async function closeLate(ms: number): Promise<void> {
    await clock.sleep(ms)
    if (stand !== 'leaving') return
    log.warn(`A page was still at work ${ms} ms after it was told of the end`)
    close()
  }

  function close(): void {
    if (stand === 'ready') return
    stand = 'ready'
    window.close()
  }
}
