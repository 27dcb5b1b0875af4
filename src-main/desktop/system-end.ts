import { app, powerMonitor, type BaseWindow } from 'electron'

/** Whether the system is ending everything, so that nobody is there to answer a question. */
export function watchSystemEnd(window: BaseWindow): () => boolean {
  let isEnding = false
  const end = (): void => {
    isEnding = true
  }
  // Linux and macOS; the window's own event is Windows'.
  powerMonitor.on('shutdown', end)
  window.on('query-session-end', end)
  window.on('session-end', end)
  // First in line, before whoever quits because of it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.prependListener(signal, () => {
      end()
      app.quit()
    })
  return () => isEnding
}
