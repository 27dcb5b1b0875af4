import { implement, type AnyRouter } from '@orpc/server'
import { contract } from '../contract/contract.ts'
import { createSecurityRouter } from './security-router.ts'
import type { Services } from './services.ts'
import { createTemplateRouter } from './template-router.ts'
import { vaultRouter } from './vault-router.ts'

const os = implement(contract)

/** The contract, answered by the services: one line per call, no rule of its own. */
export function createRouter(services: Services): AnyRouter {
  const {
    account,
    accounts,
    keyHealth,
    keychain,
    sshAccess,
    sshConfig,
    knownHosts,
    offers,
    templates,
    cloud,
    renting,
    instances,
    chains,
    guards,
    notifications,
    connections,
    files,
    terminals,
    forwards,
    security,
    runs,
    snippets,
    settings,
    updates,
    proxy,
    diagnostics,
    licenses,
    frame,
    authenticator,
    now,
  } = services
  return os.router({
    account: {
      watch: os.account.watch.handler(({ signal }) => account.state.watch(signal)),
      connect: os.account.connect.handler(({ input }) => account.connect(input)),
      replaceKey: os.account.replaceKey.handler(({ input }) => account.replaceKey(input)),
      check: os.account.check.handler(() => account.check()),
    },
    accounts: {
      watch: os.accounts.watch.handler(({ signal }) => accounts.watch(signal)),
      show: os.accounts.show.handler(({ input }) => accounts.show(input.id)),
      add: os.accounts.add.handler(() => accounts.add()),
      describe: os.accounts.describe.handler(({ input }) => accounts.describe(input.id, input.words)),
      leaving: os.accounts.leaving.handler(() => accounts.leaving()),
      signOut: os.accounts.signOut.handler(() => accounts.signOut()),
    },
    keyHealth: {
      ask: os.keyHealth.ask.handler(({ signal }) => keyHealth.ask(signal)),
    },
    keychain: {
      watch: os.keychain.watch.handler(({ signal }) => keychain.state.watch(signal)),
      check: os.keychain.check.handler(async () => {
        await keychain.check()
      }),
    },
    sshKeys: {
      watch: os.sshKeys.watch.handler(({ signal }) => sshAccess.state.watch(signal)),
      create: os.sshKeys.create.handler(() => sshAccess.createKey()),
      addIdentityFile: os.sshKeys.addIdentityFile.handler(({ input }) =>
        sshAccess.addIdentityFile(input.path),
      ),
      removeIdentityFile: os.sshKeys.removeIdentityFile.handler(({ input }) =>
        sshAccess.removeIdentityFile(input.path),
      ),
      forgetPassphrase: os.sshKeys.forgetPassphrase.handler(({ input }) =>
        sshAccess.forgetPassphrase(input.path),
      ),
      forgetHostPassword: os.sshKeys.forgetHostPassword.handler(({ input }) =>
        sshAccess.forgetHostPassword(input),
      ),
      refresh: os.sshKeys.refresh.handler(() => sshAccess.refresh()),
    },
    sshConfig: {
      watch: os.sshConfig.watch.handler(({ signal }) => sshConfig.state.watch(signal)),
      setIncluded: os.sshConfig.setIncluded.handler(({ input }) => sshConfig.setIncluded(input.included)),
    },
    knownHosts: {
      preview: os.knownHosts.preview.handler(() => knownHosts.preview()),
      take: os.knownHosts.take.handler(({ input }) => knownHosts.take(input.digest)),
    },
    offers: {
      search: os.offers.search.handler(async ({ input, signal }) => ({
        offers: await offers.search(input, signal),
        at: now(),
      })),
      watchLists: os.offers.watchLists.handler(({ signal }) => offers.lists.latest.watch(signal)),
      addFavourite: os.offers.addFavourite.handler(({ input }) => offers.lists.mark('favourites', input)),
      removeFavourite: os.offers.removeFavourite.handler(({ input }) =>
        offers.lists.unmark('favourites', input),
      ),
      block: os.offers.block.handler(({ input }) => offers.lists.mark('blocked', input)),
      unblock: os.offers.unblock.handler(({ input }) => offers.lists.unmark('blocked', input)),
      saveSearch: os.offers.saveSearch.handler(async ({ input }) => ({
        id: await offers.lists.saveSearch(input),
      })),
      removeSearch: os.offers.removeSearch.handler(({ input }) => offers.lists.removeSearch(input.id)),
    },
    templates: createTemplateRouter(templates),
    cloud: {
      list: os.cloud.list.handler(({ signal }) => cloud.list(signal)),
      add: os.cloud.add.handler(({ input }) => cloud.add(input)),
    },
    renting: {
      preview: os.renting.preview.handler(({ input }) => renting.preview(input)),
    },
    instances: {
      watch: os.instances.watch.handler(({ signal }) => instances.list.watch(signal)),
      activity: os.instances.activity.handler(({ input, signal }) =>
        instances.activity.entries(input.id, signal),
      ),
      writeOwn: os.instances.writeOwn.handler(({ input }) => instances.own.write(input.id, input.own)),
      openVsCode: os.instances.openVsCode.handler(({ input }) => instances.links.openVsCode(input.id)),
      openPort: os.instances.openPort.handler(({ input }) => instances.links.openPort(input)),
      refresh: os.instances.refresh.handler(() => instances.watch.refresh()),
      rent: os.instances.rent.handler(({ input }) => instances.rent(input)),
      stop: os.instances.stop.handler(({ input }) => instances.actions.stop(input.id)),
      destroy: os.instances.destroy.handler(({ input }) => instances.actions.destroy(input.id)),
      forgetAction: os.instances.forgetAction.handler(({ input }) => instances.forgetAction(input.id)),
      dismissNotice: os.instances.dismissNotice.handler(({ input }) => instances.dismissNotice(input.id)),
    },
    chains: {
      watch: os.chains.watch.handler(({ signal }) => chains.state.watch(signal)),
      begin: os.chains.begin.handler(({ input }) => chains.begin(input)),
      stop: os.chains.stop.handler(({ input }) => chains.stop(input.id, input.machine)),
      dismiss: os.chains.dismiss.handler(({ input }) => chains.dismiss(input.id)),
    },
    guards: {
      watch: os.guards.watch.handler(({ signal }) => guards.book.state.watch(signal)),
      set: os.guards.set.handler(({ input }) => guards.book.set(input)),
      remove: os.guards.remove.handler(({ input }) => guards.book.remove(input.id)),
      postpone: os.guards.postpone.handler(({ input }) => guards.book.postpone(input.id)),
      dismiss: os.guards.dismiss.handler(({ input }) => guards.book.dismiss(input.id)),
      watchAlarms: os.guards.watchAlarms.handler(({ signal }) => guards.alarms.watch(signal)),
    },
    notifications: {
      opened: os.notifications.opened.handler(({ signal }) => notifications.opened(signal)),
    },
    connections: {
      watch: os.connections.watch.handler(({ signal }) => connections.list.watch(signal)),
      answerHostKey: os.connections.answerHostKey.handler(({ input }) =>
        connections.answerHostKey(input.instanceId, input.trust, input.fingerprint),
      ),
      answerPassphrase: os.connections.answerPassphrase.handler(({ input }) =>
        connections.answerPassphrase(input.instanceId, input.path, input.answer),
      ),
      answerLogin: os.connections.answerLogin.handler(({ input }) =>
        connections.answerLogin(input.instanceId, input.questionId, input.answer),
      ),
      forgetHostKey: os.connections.forgetHostKey.handler(({ input }) =>
        connections.forgetHostKey(input.instanceId),
      ),
      dismiss: os.connections.dismiss.handler(({ input }) => connections.dismiss(input.instanceId)),
      stopTrying: os.connections.stopTrying.handler(({ input }) => connections.stopTrying(input.instanceId)),
      watchWay: os.connections.watchWay.handler(({ input, signal }) =>
        connections.ways.watch(input.instanceId, signal),
      ),
      choose: os.connections.choose.handler(({ input }) =>
        connections.ways.choose(input.instanceId, input.choice),
      ),
    },
    files: {
      listLocal: os.files.listLocal.handler(({ input }) => files.browser.listLocal(input)),
      listRemote: os.files.listRemote.handler(({ input }) =>
        files.browser.listRemote(input.instanceId, input),
      ),
      choose: os.files.choose.handler(({ input }) => files.choose(input.kind)),
      change: os.files.change.handler(({ input, signal }) =>
        files.browser.change(input.place, input.change, signal),
      ),
      watchTransfers: os.files.watchTransfers.handler(({ signal }) => files.transfers.state.watch(signal)),
      startTransfer: os.files.startTransfer.handler(({ input }) => files.transfers.start(input)),
      answerConflicts: os.files.answerConflicts.handler(({ input }) =>
        files.transfers.answer(input.id, input.choice),
      ),
      cancelTransfer: os.files.cancelTransfer.handler(({ input }) => files.transfers.cancel(input.id)),
      retryTransfer: os.files.retryTransfer.handler(({ input }) => files.transfers.retry(input.id)),
      forgetTransfer: os.files.forgetTransfer.handler(({ input }) => files.transfers.forget(input.id)),
    },
    terminals: {
      open: os.terminals.open.handler(({ input }) => terminals.open(input)),
      watch: os.terminals.watch.handler(({ input, signal }) => terminals.watch(input.terminalId, signal)),
      setWish: os.terminals.setWish.handler(({ input }) => terminals.setWish(input.terminalId, input.wish)),
      setFolder: os.terminals.setFolder.handler(({ input }) =>
        terminals.setFolder(input.terminalId, input.folder),
      ),
      resize: os.terminals.resize.handler(({ input }) => terminals.resize(input.terminalId, input)),
      reconnect: os.terminals.reconnect.handler(({ input }) => terminals.reconnect(input.terminalId)),
      close: os.terminals.close.handler(({ input }) => terminals.close(input.terminalId)),
      openPlainLink: os.terminals.openPlainLink.handler(({ input }) => terminals.openPlainLink(input.url)),
      desk: os.terminals.desk.handler(() => terminals.desks.read()),
      keepDesk: os.terminals.keepDesk.handler(({ input }) => terminals.desks.keep(input.desk)),
      screen: os.terminals.screen.handler(({ input }) => terminals.desks.readScreen(input.key)),
      keepScreen: os.terminals.keepScreen.handler(({ input }) =>
        terminals.desks.keepScreen(input.key, input.screen),
      ),
    },
    forwards: {
      watch: os.forwards.watch.handler(({ signal }) => forwards.state.watch(signal)),
      add: os.forwards.add.handler(({ input }) => forwards.add(input)),
      change: os.forwards.change.handler(({ input }) => forwards.change(input.id, input.plan)),
      start: os.forwards.start.handler(({ input }) => forwards.start(input.id, input.port)),
      stop: os.forwards.stop.handler(({ input }) => forwards.stop(input.id)),
      remove: os.forwards.remove.handler(({ input }) => forwards.remove(input.id)),
      openInBrowser: os.forwards.openInBrowser.handler(({ input, signal }) =>
        forwards.openInBrowser(input.id, input.scheme, signal),
      ),
    },
    security: createSecurityRouter(security),
    runs: {
      watch: os.runs.watch.handler(({ signal }) => runs.state.watch(signal)),
      start: os.runs.start.handler(({ input }) => runs.start(input)),
      again: os.runs.again.handler(({ input }) => runs.again(input.id, input.instanceId)),
      stop: os.runs.stop.handler(({ input }) => runs.stop(input.id, input.instanceId)),
      watchOutput: os.runs.watchOutput.handler(({ input, signal }) =>
        runs.watchOutput(input.id, input.instanceId, signal),
      ),
      text: os.runs.text.handler(({ input }) => runs.text(input.id, input.instanceId)),
      save: os.runs.save.handler(async ({ input }) => ({ folder: await runs.save(input.id) })),
      watchSnippets: os.runs.watchSnippets.handler(({ signal }) => snippets.state.watch(signal)),
      keepSnippet: os.runs.keepSnippet.handler(({ input }) => snippets.keep(input.command)),
      removeSnippet: os.runs.removeSnippet.handler(({ input }) => snippets.remove(input.id)),
    },
    settings: {
      watch: os.settings.watch.handler(({ signal }) => settings.preferences.watch(signal)),
      update: os.settings.update.handler(({ input }) => settings.update(input)),
      exportFile: os.settings.exportFile.handler(async () => ({ path: await settings.transfer.save() })),
      previewImport: os.settings.previewImport.handler(({ input }) => settings.transfer.preview(input.text)),
      importFile: os.settings.importFile.handler(({ input }) => settings.transfer.apply(input.text)),
      about: os.settings.about.handler(() => settings.about),
      watchStorageNotices: os.settings.watchStorageNotices.handler(({ signal }) => settings.notices(signal)),
    },
    proxy: {
      watch: os.proxy.watch.handler(({ signal }) => proxy.watch(signal)),
      logIn: os.proxy.logIn.handler(({ input }) => proxy.logIn(input.questionId, input.login)),
    },
    updates: {
      watch: os.updates.watch.handler(({ signal }) => updates.state.watch(signal)),
      look: os.updates.look.handler(() => updates.look()),
      download: os.updates.download.handler(() => updates.download()),
      install: os.updates.install.handler(() => updates.install()),
      watchNotInstalled: os.updates.watchNotInstalled.handler(({ signal }) =>
        updates.notInstalled.watch(signal),
      ),
      forgetNotInstalled: os.updates.forgetNotInstalled.handler(() => updates.forgetNotInstalled()),
    },
    diagnostics: {
      read: os.diagnostics.read.handler(({ input }) => diagnostics.read(input)),
      show: os.diagnostics.show.handler(({ input }) => diagnostics.show(input.what)),
      crashDumps: os.diagnostics.crashDumps.handler(() => diagnostics.crashDumps()),
      deleteCrashDumps: os.diagnostics.deleteCrashDumps.handler(() => diagnostics.deleteCrashDumps()),
      saveLog: os.diagnostics.saveLog.handler(async ({ input }) => ({
        saved: await diagnostics.saveLog(input),
      })),
      reset: os.diagnostics.reset.handler(({ input }) => diagnostics.reset(input.parts, input.typed)),
      keep: os.diagnostics.keep.handler(() => diagnostics.keep()),
    },
    licenses: {
      list: os.licenses.list.handler(() => licenses.list()),
      text: os.licenses.text.handler(async ({ input }) => ({ text: await licenses.text(input) })),
      showChromiumFile: os.licenses.showChromiumFile.handler(() => licenses.showChromiumFile()),
    },
    frame: {
      errands: os.frame.errands.handler(({ signal }) => frame.errands(signal)),
      visibility: os.frame.visibility.handler(({ signal }) => frame.visibility(signal)),
      farewell: os.frame.farewell.handler(({ signal }) => frame.farewell(signal)),
      openInstance: os.frame.openInstance.handler(({ input }) =>
        accounts.openInstance(input.account, input.id),
      ),
      recents: os.frame.recents.handler(() => frame.recents()),
      noteRecent: os.frame.noteRecent.handler(({ input }) => frame.noteRecent(input.id)),
      keepPage: os.frame.keepPage.handler(({ input }) => frame.keepPage(input.page)),
    },
    vault: vaultRouter(authenticator),
  })
}
