import type { AppCommandId } from '../domain/workbench/app-commands.ts'
import { followFormatLocale, formatLocaleOf } from '../domain/base/format-locale.ts'
import { withLifetime, type Lifetime } from '../domain/base/lifetime.ts'
import type { Log } from '../domain/base/log.ts'
import type { HiddenBy } from '../domain/vault/vault-view.ts'
import { createServer } from '../ipc/server.ts'
import { openAccountFolder } from '../services/accounts/accounts-file.ts'
import { openAccounts } from '../services/accounts/open-accounts.ts'
import { showInstance } from '../services/accounts/show-instance.ts'
import { openUpdates } from '../services/updates/open-updates.ts'
import { peekPage } from '../services/workbench/open-workbench.ts'
import { createProxyLogins } from '../services/workbench/proxy-logins.ts'
import { openAccountServices } from './account-services.ts'
import type { AppDependencies } from './dependencies.ts'
import { openSharedServices } from './shared-services.ts'

export type { AccountPages } from '../services/accounts/accounts.ts'
export type App = Awaited<ReturnType<typeof createApp>>

/** What the window begins with. */
export interface FirstPage {
  /** `null`: the page on which an account is connected. */
  readonly account: string | null
  /** One of the window's routes; `null`: the first one. */
  readonly path: string | null
  readonly log: Log
}

/**
 * Puts the program together: what all accounts use, and then each account.
 *
 * @param onFirstPage called before the accounts are opened, so that the page can be loaded meanwhile
 * @throws ProblemError storage-failed, as `openJsonFile` does: nothing of it goes on then
 */
export function createApp(from: AppDependencies, onFirstPage: (first: FirstPage) => void = () => undefined) {
  return withLifetime((lifetime) => compose(from, lifetime, onFirstPage))
}

async function compose(from: AppDependencies, lifetime: Lifetime, onFirstPage: (first: FirstPage) => void) {
  const shared = await openSharedServices(from, lifetime)
  const { vault, clock, preferences, preferencesFile, shutdownNotice } = shared
  const log: Log = shared.log
  followFormatLocale(() => formatLocaleOf(preferences.value.formatLocale, from.systemLocale()))
  const file = shared.sharedFolder.file
  const { accounts, pageVisibility } = await openAccounts(
    {
      ...shared,
      file,
      onFront: async (account) => {
        const folder = openAccountFolder({ ...from, id: account, log })
        const path = account === null ? null : await peekPage({ ...folder, preferences })
        onFirstPage({ account, path, log })
      },
      openAccount: (opened, among) => openAccountServices({ ...shared, opened, among }),
    },
    lifetime,
  )

  const updates = openUpdates(
    {
      ...shared,
      ...from.updates,
      begun: shared.begunUpdate,
      source: from.updates.source(log),
      currentVersion: from.about.version,
      atWork: () => accounts.atWork(),
      onOpen: () => accounts.askFront({ kind: 'command', id: 'updates' }),
    },
    lifetime,
  )
  const proxy = createProxyLogins({ ...shared, onLoggedIn: () => accounts.wake() })
  const known = (page: string | null): string | null => (accounts.has(page) ? page : null)
  const servePort = createServer(log, (page) => {
    const id = known(page)
    return {
      ...accounts.servicesOf(id),
      accounts: accounts.asSeenBy(id),
      updates,
      pages: { proxy, shutdownNotice, visibility: (signal) => pageVisibility.watch(id, signal) },
    }
  })

  await vault.checked
  lifetime.start()
  return {
    /** Which accounts there are, and which of them is to be in front. */
    accountPages: accounts.accountPages,
    /** Serves ports of the page that is for this account; `null`: for none. */
    servePort,
    /** Files of this computer, by their paths, were dropped on the page that is for this account, at a time of its document. */
    filesDropped: (page: string | null, at: number, paths: readonly string[]) =>
      accounts.servicesOf(known(page)).files.dropped.put(at, paths),
    /** Where the page of an account begins; `null`: at the first one. */
    pageOf: (id: string) => accounts.servicesOf(id).workbench.page(),
    /** Asks the page in front for it. */
    command: (id: AppCommandId) => accounts.askFront({ kind: 'command', id }),
    /** Brings the page of an instance to the front, or says in front that no account has it. */
    showInstance: (id: number) => showInstance(id, { accounts, clock, signal: lifetime.signal }),
    /** Asks in front whether to open the job definition in a folder that a link named. */
    askForJob: (folder: string) => accounts.askFront({ kind: 'job-folder', folder }),
    /** What is seen of all accounts without opening the window. */
    traySummary: accounts.traySummary,
    preferences,
    /** From now on closing the window leaves Slipway in the tray. @throws ProblemError storage-failed */
    keepInTray: () => preferencesFile.update({ keepInTray: true }),
    log,
    /** What nobody sees to once it has ended. */
    pendingWork: () => accounts.pendingWork(),
    /** Whether only the user can help: no account is connected, or the key of one can't be used. */
    needsUser: () => accounts.needsUser(),
    /** Tells the pages whether the window is seen: not while it is minimized or hidden. Before the first call it is not. */
    windowVisible: (isVisible: boolean) => pageVisibility.setWindowVisible(isVisible),
    /** Tells all pages that the end is near; resolves when each has kept what it still held. */
    tellPages: () => shutdownNotice.tell(),
    /** Takes secrets off the screen: nobody may be in front of it any more. */
    hideSecrets: (by: HiddenBy) => vault.screen.hide(by),
    /** The window has the keyboard: what only a program that has it can do is done now. */
    focused: vault.focused,
    /** The computer slept: what was known of links and instances may be hours old. */
    wake: () => lifetime.wake(),
    /** Ends everything: the accounts and the clipboard side by side, then what they use. */
    dispose: () => lifetime.end(),
  }
}
