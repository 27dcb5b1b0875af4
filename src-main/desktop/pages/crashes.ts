import type { CrashReporter } from 'electron'
import type { Log } from '../../domain/base/log.ts'

/** A page that dies again this soon would die for ever. */
const leastLifeMs = 10_000

/** What is asked when it did, natively: the page itself can ask nothing any more. */
export const deadPageQuestion = {
  message: 'Slipway’s window stopped working',
  detail:
    'Your instances keep running, and you’re still charged for them. Shells that were open in this window ended; ' +
    'tmux and screen sessions keep running. If the window stops again when you open the same terminal or page, ' +
    'open another one first.',
  buttons: ['Reload window', 'Close Slipway'],
} as const

/**
 * Has crashes of all processes written to files on this computer. To be called before Electron is ready: what begins
 * earlier is not seen. The system's own crash handler gets none of main's, because it may keep all of its memory, or
 * send a report.
 */
export function startCrashReporter(reporter: Pick<CrashReporter, 'start'>): void {
  reporter.start({ uploadToServer: false, ignoreSystemCrashHandler: true })
}

/**
 * Writes what nobody has caught to the log. Main goes on: what is left behind by one failed call does not harm
 * the others, while ending would cut every terminal.
 */
export function logUncaught(log: Log): void {
  process.on('uncaughtException', (error) => void log.error('Uncaught exception', error))
  process.on('unhandledRejection', (reason) => void log.error('Unhandled rejection', reason))
}

/** The part of Electron's WebContents that is used here. */
interface MortalContents {
  readonly on: (
    event: 'render-process-gone',
    listener: (event: unknown, details: { readonly reason: string; readonly exitCode: number }) => void,
  ) => unknown
  readonly reload: () => void
  readonly isDestroyed: () => boolean
}

/**
 * Loads the page again when its process dies; main, and with it everything that runs, was not touched. After a second
 * death soon after, only when `askToReload` resolves to `true`, however often that happens.
 */
export function reviveCrashedPage(
  contents: MortalContents,
  {
    log,
    now,
    askToReload,
  }: { readonly log: Log; readonly now: () => number; readonly askToReload: () => Promise<boolean> },
): void {
  let lastRevivalMs = Number.NEGATIVE_INFINITY

  function revive(): void {
    if (contents.isDestroyed()) return
    lastRevivalMs = now()
    contents.reload()
  }

  async function ask(): Promise<void> {
    if (await askToReload()) revive()
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return
    log.error('The page died', new Error(`${reason}, exit code ${exitCode}`))
    if (now() - lastRevivalMs >= leastLifeMs) revive()
    else ask().catch((error: unknown) => log.error('The user couldn’t be asked about a dead page', error))
  })
}
