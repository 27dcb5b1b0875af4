import { app, powerMonitor, type BaseWindow } from 'electron'
import type { TimeLeft } from './closing.ts'

/** A shutdown may be called off; when nothing has come of it by then, it was. */
const shutdownMs = 60_000

/** How much time there is to close the window: less when the system ends the program, or everything. */
export function watchSystemEnd(window: BaseWindow, platform: NodeJS.Platform): () => TimeLeft {
  let left: TimeLeft = 'enough'
  powerMonitor.on('shutdown', () => {
    // On macOS a window that stays would break it off. On Linux a signal follows, which leaves seconds.
    left = platform === 'linux' ? 'seconds' : 'none'
    setTimeout(() => (left = 'enough'), shutdownMs).unref()
  })
  // Windows does not wait any more.
  window.on('session-end', () => (left = 'none'))
  // First in line, before whoever quits because of it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.prependListener(signal, () => {
      left = 'seconds'
      app.quit()
    })
  return () => left
}
