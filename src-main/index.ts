import { join } from 'node:path'
import { app, crashReporter, dialog, powerMonitor, session, shell, type BaseWindow } from 'electron'
import { createApp, type App, type FirstPage } from './app/create-app.ts'
import { pageOrigin } from './contract/ports.ts'
import { gatherDependencies } from './desktop/app-dependencies.ts'
import { startInTraySwitch, startsInTray, watchBackground, type Background } from './desktop/background.ts'
import { takeIdentity } from './desktop/app-identity.ts'
import { closeInOrder } from './desktop/closing.ts'
import { logUncaught, startCrashReporter } from './desktop/pages/crashes.ts'
import { followDeepLinks } from './desktop/deep-links.ts'
import { keepYoungHeapSmall } from './desktop/heap.ts'
import { startKeychainProcess } from './desktop/keychain-process.ts'
import { followMenu } from './desktop/menu.ts'
import { openPage } from './desktop/pages/open-page.ts'
import { pageAddress } from './desktop/pages/page-address.ts'
import { registerPageScheme, servePage } from './desktop/pages/page-protocol.ts'
import { cutOffPages, denyPermissions } from './desktop/pages/page-session.ts'
import { askToClose } from './desktop/questions.ts'
import { disposeOnQuit, type Quit } from './desktop/quit.ts'
import { hideSecretsWhenAway } from './desktop/secrets.ts'
import { SafeShell } from './desktop/safe-shell.ts'
import { startFailureText } from './desktop/start-failure.ts'
import { refuseRemoteDebugging } from './desktop/switches.ts'
import { watchSystemEnd, type SystemEnd } from './desktop/system-end.ts'
import { followTray } from './desktop/tray.ts'
import { createWindow, focusWindow, hideWindow, watchVisibility } from './desktop/window.ts'
import { followAccountPages } from './desktop/pages/account-pages.ts'
import { PageViews } from './desktop/pages/page-view.ts'
import type { Log } from './domain/base/log.ts'
import { systemClock } from './app/system-clock.ts'
import { openKeychain } from './services/vault/keychain/open-keychain.ts'

refuseRemoteDebugging(app)
keepYoungHeapSmall()
const { isPackaged } = app
/** In the package as here. */
const resources = join(import.meta.dirname, '../../resources')
const page = pageAddress({ isPackaged, developmentUrl: process.env['ELECTRON_RENDERER_URL'] })

const identity = takeIdentity(app, {
  platform: process.platform,
  otherUserData: process.env['SLIPWAY_USER_DATA'],
})
registerPageScheme()

// The lock is one per data folder: two would overwrite each other's files. In development the next one starts
// while the one before is still ending.
const isDevelopment = page.origin !== pageOrigin
if (isDevelopment || app.requestSingleInstanceLock()) {
  startCrashReporter(crashReporter)
  start().catch((error: unknown) => {
    dialog.showErrorBox('Slipway can’t start', startFailureText(error))
    app.exit(1)
  })
} else app.quit()

/** Where a click on a notification leads. */
let mainWindow: BaseWindow | null = null
/** How the program ends; there once its parts are. */
let quit: Quit | null = null
/** Was agreed to, with all that it ends. */
let isInstalling = false
/** Slipway goes on without it until somebody wants to see it. */
let isWindowInTray = false

async function start(): Promise<void> {
  const userData = app.getPath('userData')
  const first = Promise.withResolvers<FirstPage>()
  const composed = Promise.all([composeApp(userData, first.resolve), app.whenReady()]).then(([made]) => made)
  composed.catch(first.reject)
  const focus = (): void => {
    if (mainWindow !== null) focusWindow(mainWindow)
  }
  const { argv: args, platform } = process
  followDeepLinks(app, { args, platform, core: composed, focus })
  const [{ log, ...firstPage }] = await Promise.all([first.promise, app.whenReady()])
  logUncaught(log)
  denyPermissions(session.defaultSession, page)
  // In development the page and its hot reload come over http.
  if (!isDevelopment) await cutOffPages(session.defaultSession)
  servePage(join(import.meta.dirname, '../renderer'), log)
  const window = createWindow({ title: identity.name, userData, log })
  const views = new PageViews(window, join(import.meta.dirname, '../preload/preload.cjs'))
  const followed = Promise.withResolvers<undefined>()
  // The page is loaded while the accounts are opened and the keychain is asked.
  const pages = followAccountPages({
    first: firstPage,
    opened: composed,
    make: (served) =>
      openPage(served, {
        ...{ page, isDevelopment, log, core: composed, window, views },
        shell: safeShell(log),
        isInTray: async () => {
          await followed.promise
          return isWindowInTray
        },
      }),
    log,
  })

  const core = await composed
  powerMonitor.on('resume', core.wake)
  const systemEnd = watchSystemEnd(platform)
  quit = disposeOnQuit({ ...core, timeLeft: systemEnd.timeLeft })
  hideSecretsWhenAway(core.hideSecrets, platform)
  const run: App['command'] = (id) => {
    // macOS has the menu also while the window is hidden.
    if (isWindowInTray && id !== 'hide-secrets') focus()
    core.command(id)
  }
  const background = watchBackground(app, { ...core, platform })
  isWindowInTray = startsInTray(app, { ...core, platform, args })
  followWindow(window, core, { systemEnd, background })
  window.on('show', () => (isWindowInTray = false))
  window.on('focus', core.focused)
  mainWindow = window
  watchVisibility(window, core.windowVisible)
  app.on('second-instance', (_event, args) => {
    if (!args.includes(startInTraySwitch)) focus()
  })
  // macOS: its icon in the Dock was selected.
  app.on('activate', focus)
  // On every system, macOS too: without its window Slipway would hold terminals open that nobody sees.
  app.on('window-all-closed', () => {
    // An update of macOS closes the window first and ends the program itself: an end before would leave the old one.
    if (!isInstalling) app.quit()
  })
  followed.resolve(undefined)
  await Promise.all([
    pages,
    followMenu({ accountPages: core.accountPages, platform, run }),
    followTray({
      ...core,
      platform,
      pictures: resources,
      open: focus,
      quit: () => app.quit(),
      shown: background.trayShown,
    }),
  ])
}

/** What closing the window comes to. */
function followWindow(
  window: BaseWindow,
  core: App,
  { systemEnd, background }: { readonly systemEnd: SystemEnd; readonly background: Background },
): void {
  const { log } = core
  systemEnd.watch(window)
  closeInOrder(window, {
    ...core,
    // What would be ended has been asked over already, and on macOS what installs closes the window itself.
    timeLeft: () => (isInstalling ? 'none' : systemEnd.timeLeft()),
    mayHide: background.mayHide,
    hide: () => {
      isWindowInTray = true
      hideWindow(window)
      core.hideSecrets('asked')
    },
    ask: async (question) => {
      const answer = await askToClose(window, question)
      if (answer !== 'close') background.stays()
      if (answer === 'hide')
        // It's asked again the next time.
        core.keepInTray().catch((error: unknown) => log.error('The tray’s setting couldn’t be saved', error))
      return answer
    },
    clock: systemClock,
  })
}

function safeShell(log: Log): SafeShell {
  return new SafeShell((url) => shell.openExternal(url), log)
}

async function composeApp(userData: string, onFirstPage: (first: FirstPage) => void): Promise<App> {
  const from = {
    keychain: await openKeychain({
      service: identity.name,
      platform: process.platform,
      startProcess: startKeychainProcess,
    }),
    ...(await gatherDependencies({
      ...{ identity, userData, resources, programs: safeShell },
      licenses: join(import.meta.dirname, '../licenses'),
      window: () => mainWindow,
      onInstall: () => {
        isInstalling = true
      },
      onNotInstalled: () => {
        isInstalling = false
        if (mainWindow?.isDestroyed() === true) app.quit()
      },
      quitThen: (last) => {
        quit?.quitThen(() => {
          // The new version is started before this one is quite gone.
          app.releaseSingleInstanceLock()
          last()
        })
      },
    })),
  }
  return createApp(from, onFirstPage)
}
