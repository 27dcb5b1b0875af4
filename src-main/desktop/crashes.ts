import type { WebContents } from 'electron'
import type { Log } from '../domain/log.ts'

/** A page that dies again this soon would die for ever. */
const leastLifeMs = 10_000

/**
 * Writes what nobody has caught to the log. Main goes on: what is left behind by one failed call does not harm
 * the others, while ending would cut every terminal.
 */
export function logUncaught(log: Log): void {
  process.on('uncaughtException', (error) => void log.error('Uncaught exception', error))
  process.on('unhandledRejection', (reason) => void log.error('Unhandled rejection', reason))
}

/** Loads the page again when its process dies; main, and with it everything that runs, was not touched. */
export function reviveCrashedPage(
  contents: WebContents,
  { log, now }: { readonly log: Log; readonly now: () => number },
): void {
  let lastRevivalMs = Number.NEGATIVE_INFINITY
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return
    log.error('The page died', new Error(`${reason}, exit code ${exitCode}`))
    if (now() - lastRevivalMs < leastLifeMs) return
    lastRevivalMs = now()
    contents.reload()
  })
}
