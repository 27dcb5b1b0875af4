import type { WebContents } from 'electron'
import type { Log } from '../../domain/base/log.ts'
import type { PageAddress } from './page-address.ts'
import type { SafeShell } from '../safe-shell.ts'

/**
 * Keeps the window on the page that it was opened with: it goes nowhere, embeds nothing and opens no other
 * window. A link that asks for a new window is for the browser (`safe-shell.ts`).
 *
 * The development server reloads the page when a file changes; that, and only that, it may do.
 */
export function refuseNavigation(
  contents: WebContents,
  options: {
    readonly page: PageAddress
    readonly isDevelopment: boolean
    readonly shell: SafeShell
    readonly log: Log
  },
): void {
  const { page, isDevelopment, shell, log } = options
  const refuse = (what: string) => (event: { preventDefault: () => void; readonly url: string }) => {
    if (isDevelopment && event.url.split(/[?#]/, 1).join('') === page.url) return
    event.preventDefault()
    log.warn(`Refused: ${what}`)
  }
  contents.on('will-navigate', refuse('the page wanted to go somewhere else'))
  contents.on('will-frame-navigate', refuse('a frame wanted to go somewhere else'))
  contents.on('will-redirect', refuse('the page was to be redirected'))
  contents.on('will-attach-webview', (event) => {
    event.preventDefault()
    log.warn('Refused: the page wanted to embed a webview')
  })
  contents.setWindowOpenHandler(({ url }) => {
    void shell.openLink(url)
    return { action: 'deny' }
  })
}
