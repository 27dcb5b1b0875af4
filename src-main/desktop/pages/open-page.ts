import { app, type BaseWindow } from 'electron'
import type { App } from '../../app/create-app.ts'
import { systemClock } from '../../app/system-clock.ts'
import { offerContextMenu } from '../context-menu.ts'
import { agreesTo } from '../questions.ts'
import type { Log } from '../../domain/base/log.ts'
import type { SafeShell } from '../safe-shell.ts'
import { focusWindow } from '../window.ts'
import type { Page, Served } from './account-pages.ts'
import { deadPageQuestion, reviveCrashedPage } from './crashes.ts'
import { acceptDrops } from './drops.ts'
import { askAfterFailedLoad, failedLoadQuestion } from './failed-load.ts'
import { refuseNavigation } from './navigation.ts'
import type { PageAddress } from './page-address.ts'
import type { PageViews } from './page-view.ts'
import { acceptPorts } from './ports.ts'

export interface OpenPageOptions {
  readonly page: PageAddress
  readonly isDevelopment: boolean
  readonly log: Log
  /** What serves the page, which may be there before: its ports wait. When it never comes, whoever starts it says why. */
  readonly core: Promise<Pick<App, 'servePort' | 'filesDropped'>>
  readonly window: BaseWindow
  readonly views: PageViews
  readonly shell: SafeShell
  /** The window is hidden for as long as nobody asks for it; answered once what is to follow the window does. */
  readonly isInTray: () => Promise<boolean>
}

/** A page in the window that serves the account of the moment at which it was loaded, and no other. */
export function openPage(served: () => Served | null, options: OpenPageOptions): Page {
  const { page, isDevelopment, log, core, window, views, shell, isInTray } = options
  const view = views.add()
  const contents = view.webContents
  refuseNavigation(contents, { page, isDevelopment, shell, log })
  offerContextMenu(contents, window)
  const isServed = (): boolean => served() !== null
  acceptPorts(contents, {
    page,
    isServed,
    onPort: (request, port) => {
      const account = served()?.account ?? null
      core.then(
        ({ servePort }) => servePort(account, request, port),
        () => port.close(),
      )
    },
    log,
  })
  acceptDrops(contents, {
    page,
    isServed,
    onDrop: (at, paths) => {
      const account = served()?.account ?? null
      core.then(
        ({ filesDropped }) => filesDropped(account, at, paths),
        // Who starts it says why.
        () => undefined,
      )
    },
    log,
  })
  const askToReload = async (
    question: typeof deadPageQuestion | typeof failedLoadQuestion,
  ): Promise<boolean> => {
    const isToEnd = await agreesTo(window, question)
    if (isToEnd) app.quit()
    return !isToEnd
  }
  reviveCrashedPage(contents, {
    log,
    now: systemClock.now,
    askToReload: () => askToReload(deadPageQuestion),
  })
  // The window shows itself when it has something to show.
  contents.once('did-finish-load', () => {
    void isInTray().then((isHidden) => {
      if (!isHidden && !window.isDestroyed()) window.show()
    })
  })
  askAfterFailedLoad(contents, {
    show: async () => {
      // Whoever asked for the window or ended Slipway meanwhile is seen to first.
      await isInTray()
      focusWindow(window)
    },
    askToReload: () => askToReload(failedLoadQuestion),
    log,
  })
  let stopLooking = (): void => undefined
  return {
    // Named in the address: without a difference before the "#" nothing would be loaded.
    load: async ({ account, path, begun }) => {
      const address = `${page.url}?account=${account ?? 'none'}`
      const look = (_event: unknown, url: string): void => {
        // Whether what follows "#" is told, too, is nothing to rely on.
        if (url.split('#', 1)[0] !== address) return
        contents.off('did-navigate', look)
        begun()
      }
      // One that never came would be waited for together with this one.
      stopLooking()
      stopLooking = () => contents.off('did-navigate', look)
      contents.on('did-navigate', look)
      await contents.loadURL(`${address}#${path ?? '/'}`)
    },
    show: () => {
      view.setVisible(true)
      contents.focus()
    },
    hide: () => view.setVisible(false),
    close: () => views.remove(view),
  }
}
