import type { Log } from '../../domain/base/log.ts'

/** What is asked when the page could not be loaded, natively: nothing of it is there to ask. */
export const failedLoadQuestion = {
  message: 'Slipway couldn’t load its window',
  detail:
    'Your instances keep running, and you’re still charged for them. Try again. If the window still doesn’t load, ' +
    'install Slipway again: your settings and keys stay.',
  buttons: ['Reload window', 'Close Slipway'],
} as const

/** By Chromium's count of network errors: another page was asked for before this one had come. */
const aborted = -3

/** The part of Electron's WebContents that is used here. */
interface LoadingContents {
  on(
    event: 'did-fail-load',
    listener: (event: unknown, code: number, description: string, url: string, isMainFrame: boolean) => void,
  ): unknown
  on(event: 'did-navigate', listener: (event: unknown, url: string, status: number) => void): unknown
  readonly reload: () => void
  readonly isDestroyed: () => boolean
}

/**
 * A page that could not be loaded leaves its window empty: it is shown all the same, and its user is asked.
 *
 * @param show shows the window, which otherwise waits for its page
 * @param askToReload resolves to `true` when the page is to be loaded again
 */
export function askAfterFailedLoad(
  contents: LoadingContents,
  {
    show,
    askToReload,
    log,
  }: { readonly show: () => Promise<void>; readonly askToReload: () => Promise<boolean>; readonly log: Log },
): void {
  async function ask(): Promise<void> {
    await show()
    if ((await askToReload()) && !contents.isDestroyed()) contents.reload()
  }

  function failed(why: string): void {
    log.error('The page could not be loaded', new Error(why))
    ask().catch((error: unknown) =>
      log.error('The user couldn’t be asked about a page that did not load', error),
    )
  }

  contents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (isMainFrame && code !== aborted) failed(`${description} (${code})`)
  })
  // A file that is missing, or cannot be read, is answered by an empty document.
  contents.on('did-navigate', (_event, _url, status) => {
    if (status >= 400) failed(`status ${status}`)
  })
}
