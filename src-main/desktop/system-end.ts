import { app, powerMonitor, type BaseWindow } from 'electron'
import type { TimeLeft } from './closing.ts'

/** How much time there is to close the window: less when the system ends the program, or everything. */
export function watchSystemEnd(window: BaseWindow, platform: NodeJS.Platform): () => TimeLeft {
  let left: TimeLeft = 'enough'
  const soon = (): void => {
    if (left === 'enough') left = 'seconds'
  }
  // A window that stays there would hold up the end of the session, or break it off.
  const now = (): void => {
    left = 'none'
  }
  // Linux and macOS; the window's own event is Windows'. On Linux a signal follows, which waits for longer than is needed.
  powerMonitor.on('shutdown', platform === 'linux' ? soon : now)
  window.on('query-session-end', now)
  window.on('session-end', now)
  // First in line, before whoever quits because of it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.prependListener(signal, () => {
      soon()
      app.quit()
    })
  return () => left
}
