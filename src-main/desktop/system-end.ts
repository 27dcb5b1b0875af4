import { app, powerMonitor } from 'electron'
import type { TimeLeft } from './closing.ts'

/** A shutdown of macOS may be called off; when nothing has come of it by then, it was. */
const shutdownMs = 60_000

/** What of Electron's event says that a shutdown has to wait. */
interface Delayable {
  readonly preventDefault: () => void
}

/** What of a window is needed here; Electron's has it. */
interface AskedWindow {
  readonly on: (name: 'query-session-end', listener: (event: Delayable) => void) => unknown
}

/** How the system ends the program. */
export interface SystemEnd {
  readonly timeLeft: () => TimeLeft
  /** Windows asks windows whether its session may end. */
  readonly watch: (window: AskedWindow) => void
}

/**
 * How much time there is to end: less when the system ends the program, or everything. A shutdown that nobody delays
 * is the end at once: Linux stops the desktop, and Electron kills the program when Windows' session ends. So it has to
 * wait, and Slipway quits; it must be gone within seconds (logind waits for 5 of them), or it is killed after all.
 *
 * To be called when somebody listens to `powerMonitor` already: on Linux Electron overlooks a listener of `shutdown`
 * that is the very first one, delays nothing for it, and never tells it.
 */
export function watchSystemEnd(platform: NodeJS.Platform): SystemEnd {
  let left: TimeLeft = 'enough'
  const quitSoon = (event: Delayable): void => {
    event.preventDefault()
    left = 'seconds'
    app.quit()
  }
  // Its typings forget the event that their own text names.
  const shutdowns: NodeJS.EventEmitter = powerMonitor
  if (platform === 'linux') shutdowns.on('shutdown', quitSoon)
  // There every program is told to quit after it, and a window that stays would break the shutdown off.
  if (platform === 'darwin')
    shutdowns.on('shutdown', () => {
      left = 'none'
      setTimeout(() => (left = 'enough'), shutdownMs).unref()
    })
  // First in line, before whoever quits because of it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.prependListener(signal, () => {
      if (left !== 'seconds') left = 'unattended'
      app.quit()
    })
  return {
    timeLeft: () => left,
    watch: (window) => {
      if (platform === 'win32') window.on('query-session-end', quitSoon)
    },
  }
}
