import { setTimeout as sleep } from 'node:timers/promises'
import { app } from 'electron'
import type { App } from '../app/create-app.ts'
import type { TimeLeft } from './closing.ts'

/** Longer than any of its parts takes; a hanging one must not keep the program alive. */
const deadlineMs = 5_000
/** The same when the system ends everything. The window was closed before it, within a second (closing.ts). */
const hurriedDeadlineMs = 2_000

/** How the program is ended from inside of it. */
export interface Quit {
  /** Quits, and calls this when all parts have ended, as the last thing of all. */
  readonly quitThen: (last: () => void) => void
}

/** Ends the program's parts before it quits: connections are closed, files are written. */
export function disposeOnQuit({
  dispose,
  timeLeft,
  log,
}: Pick<App, 'dispose' | 'log'> & { readonly timeLeft: () => TimeLeft }): Quit {
  let isDisposing = false
  let last: () => void = () => undefined
  app.on('will-quit', (event) => {
    event.preventDefault()
    if (isDisposing) return
    isDisposing = true
    void end()
  })

  async function end(): Promise<void> {
    try {
      const ms = timeLeft() === 'seconds' ? hurriedDeadlineMs : deadlineMs
      const late = sleep(ms, 'late', { ref: false })
      if ((await Promise.race([dispose(), late])) === 'late')
        log.warn(`Not everything had ended ${ms} ms after the command to quit`)
    } catch (error) {
      log.error('Could not end cleanly', error)
    }
    try {
      last()
    } catch (error) {
      log.error('What was to be done at the very end failed', error)
    }
    app.exit(0)
  }

  return {
    quitThen: (work) => {
      last = work
      app.quit()
    },
  }
}
