import type { App } from '../app.ts'
import { closeQuestion } from '../domain/unfinished.ts'

/** What of a window is needed here; Electron's has it. */
interface ClosingWindow {
  readonly on: (name: 'close', listener: (event: { preventDefault: () => void }) => void) => unknown
  readonly close: () => void
}

/**
 * Asks before the window closes over what nobody sees to then. Not when the system ends everything: it would only
 * hold up the shutdown, until it is killed.
 *
 * @param ask resolves to whether it is to be closed
 */
export function askBeforeClose(
  window: ClosingWindow,
  {
    unfinished,
    isSystemEnding,
    ask,
    log,
  }: Pick<App, 'unfinished' | 'log'> & {
    readonly isSystemEnding: () => boolean
    readonly ask: (question: { readonly message: string; readonly detail: string }) => Promise<boolean>
  },
): void {
  let stand: 'unasked' | 'asking' | 'agreed' = 'unasked'
  window.on('close', (event) => {
    if (stand === 'agreed' || isSystemEnding()) return
    const question = closeQuestion(unfinished())
    if (question === null) return
    event.preventDefault()
    if (stand === 'unasked') void decide(question)
  })

  async function decide(question: { readonly message: string; readonly detail: string }): Promise<void> {
    stand = 'asking'
    let isAgreed = true
    try {
      isAgreed = await ask(question)
    } catch (error) {
      // A window that cannot be closed would be worse.
      log.error('Could not ask before closing', error)
    }
    stand = isAgreed ? 'agreed' : 'unasked'
    if (isAgreed) window.close()
  }
}
