import { join } from 'node:path'
import { composeSecurity, keysWithSessions } from './account-security.ts'
import { composeAuthenticator } from './authenticator.ts'
import { composeCaretakers } from './caretakers.ts'
import type { Log } from './domain/log.ts'
import type { HiddenBy } from './domain/vault-view.ts'
import { blockFinder } from './domain/offer-lists.ts'
import { Redactor } from './domain/redact.ts'
import type { Unfinished } from './domain/unfinished.ts'
import { keepAccountFresh } from './instances/account-freshness.ts'
import { followAccount } from './instances/follow-account.ts'
import { createInstanceLinks } from './instances/links.ts'
import { createServePort, type ServePort } from './ipc/serve.ts'
import { composeMachines } from './machines.ts'
import { openVault } from './open-vault.ts'
import { createConnectedAccount } from './rental/connected-account.ts'
import { searchOffers } from './rental/offers.ts'
import { searchTemplates } from './rental/templates.ts'
import { composeRentals } from './rentals.ts'
import { openAccountFile } from './settings/account-file.ts'
import type { StorageNotice } from './settings/json-file.ts'
import { openLogFile } from './settings/log-file.ts'
import { openOfferLists } from './settings/offer-lists.ts'
import { openPreferences } from './settings/preferences.ts'
import { SshAccessWatch } from './ssh/access.ts'
import { ChosenFiles } from './ssh/chosen-files.ts'
import { createHostConfigReader } from './ssh/host-config-file.ts'
import { openKnownHosts } from './ssh/known-hosts-file.ts'
import { createKnownHostsImport } from './ssh/known-hosts-import.ts'
import { LockedKeys } from './ssh/locked-keys.ts'
import { SshConfig } from './ssh/ssh-config.ts'
import type { Surroundings } from './surroundings.ts'

export type { Surroundings }

export interface App {
  readonly servePort: ServePort
  readonly log: Log
  /** What nobody sees to once it has ended. */
  readonly unfinished: () => Unfinished
  /** The computer slept: what was known of links and instances may be hours old. */
  readonly wake: () => void
  /** Takes secrets off the screen: nobody may be in front of it any more. */
  readonly hideSecrets: (by: HiddenBy) => void
  /** Ends everything, last made first. */
  readonly dispose: () => Promise<void>
}

/** The composition root: read it from top to bottom and you know the program. */
export async function createApp(surroundings: Surroundings): Promise<App> {
  const { fetch, clock, random, randomId, userData, homeFolder, agentSocket, about } = surroundings
  const end = new AbortController()
  const redactor = new Redactor()
  const remember = (secret: string): void => redactor.remember(secret)
  const log = openLogFile({ folder: join(userData, 'logs'), redactor, randomId })

  const storageNotices: StorageNotice[] = []
  const onCorrupt = (notice: StorageNotice): void => {
    storageNotices.push(notice)
    log.warn(`${notice.file}: ${notice.detail}`)
  }
  const file = (name: string) => ({ path: join(userData, name), clock, onCorrupt })
  const preferences = await openPreferences(file('preferences.json'))
  const accountFile = await openAccountFile(file('account.json'))

  const { keychain, vault, trueClock } = await openVault({
    surroundings,
    file,
    remember,
    log,
    signal: end.signal,
  })

  const account = createConnectedAccount({
    fetch,
    clock,
    random,
    keys: keysWithSessions(vault),
    file: { read: () => accountFile.value, write: (next) => accountFile.write(next) },
    randomId,
    log,
    remember,
    onDate: trueClock.note,
  })
  const { http } = account
  const security = await composeSecurity({
    ...surroundings,
    account,
    vault,
    trueClock,
    file: file('security.json'),
    log,
    remember,
  })
  const offerLists = await openOfferLists({ ...file('offer-lists.json'), account: account.state, randomId })

  const rentals = await composeRentals({
    account,
    vault,
    userData,
    clock,
    random,
    randomId,
    log,
    onCorrupt,
    remember,
    isHeld: (rentalId) => caretakers.holds(rentalId),
  })
  const { watch, renting, rentDesk, list, own, activity } = rentals

  const sshAccess = new SshAccessWatch({
    vaultKey: vault.sshKey,
    files: new ChosenFiles({
      paths: () => preferences.latest.value.identityFiles,
      setPaths: (identityFiles) => preferences.update({ identityFiles }),
      lockedKeys: new LockedKeys({ store: vault.passphrases, log, remember }),
      passphrases: vault.passphrases,
    }),
    preferences: preferences.latest,
    account: account.state,
    keychain: vault.state,
    agentSocket,
  })

  const knownHostsFile = join(userData, 'known_hosts')
  const configFiles = { userFile: join(homeFolder, '.ssh', 'config'), ownFile: join(userData, 'ssh_config') }
  const sshConfig = new SshConfig({
    ...configFiles,
    knownHostsFile,
    snapshot: watch.snapshot,
    account: account.state,
    preferences: preferences.latest,
    log,
  })

  const programs = surroundings.programs(log)
  const machines = await composeMachines({
    http,
    preferences: preferences.latest,
    access: sshAccess,
    hostConfig: createHostConfigReader({
      ...configFiles,
      homeFolder,
      isWanted: () => preferences.latest.value.readSshConfig,
      user: () => preferences.latest.value.sshUser,
      log,
    }),
    knownHostsFile,
    clock,
    random,
    randomId,
    log,
    files: {
      file: file('transfers.json'),
      homeFolder,
      platform: process.platform,
      trash: surroundings.trash,
    },
    desks: { ...file('terminals.json'), screensFolder: join(userData, 'scrollback') },
    snippets: file('snippets.json'),
    forwards: { file: file('forwards.json'), snapshot: watch.snapshot, openPort: programs.openPort },
  })

  const caretakers = await composeCaretakers({
    userData,
    clock,
    log,
    onCorrupt,
    randomId,
    watch,
    actions: rentals.actionsBy('caretaker'),
    account: account.state,
    preferences: preferences.latest,
    keychain,
    connected: machines.connected,
    show: surroundings.showNotification,
    labelOf: list.labelOf,
    bodyOf: rentDesk.body,
    search: (query) => searchOffers(http, query),
    renting,
    isBlocked: (offer) => blockFinder(offerLists.latest.value)(offer) !== null,
  })

  const authenticator = composeAuthenticator({
    vault,
    trueClock,
    account: account.state,
    preferences: preferences.latest,
    surroundings,
    log,
  })

  const servePort = createServePort({
    account,
    keychain: vault,
    sshAccess,
    sshConfig,
    knownHosts: createKnownHostsImport({
      userFile: join(homeFolder, '.ssh', 'known_hosts'),
      own: openKnownHosts(knownHostsFile),
    }),
    templates: { search: (filters, signal) => searchTemplates(http, filters, signal) },
    renting: { preview: rentDesk.preview },
    offers: { search: (query, signal) => searchOffers(http, query, signal), lists: offerLists },
    instances: {
      list: list.list,
      watch,
      actions: rentals.actionsBy('user'),
      activity,
      own,
      links: createInstanceLinks({
        list,
        user: () => preferences.latest.value.sshUser,
        aliasOf: (id) => sshConfig.aliasOf(id),
        programs,
        activity,
      }),
      rent: rentDesk.rent,
      forgetAction: rentals.forgetAction,
      dismissNotice: (id) => renting.dismiss(id),
    },
    ...caretakers.services,
    ...machines.services,
    terminals: {
      ...machines.terminals,
      openPlainLink: programs.openPlainLink,
      open: (request) => {
        void activity.note(request.instanceId, { kind: 'terminal-opened' })
        return machines.terminals.open(request)
      },
    },
    security,
    settings: {
      preferences: preferences.latest,
      update: preferences.update,
      notices: () => storageNotices,
      about: { ...about, userData, logFile: log.path },
    },
    authenticator: authenticator.services,
    now: clock.now,
    log,
  })

  const following = [
    followAccount({
      account: account.state,
      check: account.check,
      renting,
      bound: [...rentals.bound, ...machines.bound, security, ...caretakers.bound],
      remembered: list.remembered,
      watch,
      log,
      signal: end.signal,
    }),
    rentals.follow(end.signal),
    sshConfig.follow(end.signal),
    machines.follow(end.signal),
    keepAccountFresh({
      account: account.state,
      check: account.check,
      watch,
      keychain: vault.state,
      signal: end.signal,
    }),
    caretakers.follow(end.signal),
    sshAccess.follow(end.signal),
    offerLists.follow(end.signal),
    authenticator.follow(end.signal),
    security.follow(end.signal),
  ]

  async function dispose(): Promise<void> {
    await authenticator.dispose()
    await machines.dispose()
    watch.stop()
    end.abort()
    await Promise.all(following)
  }

  function wake(): void {
    trueClock.drop()
    machines.connections.wake()
    void watch.refresh()
  }

  return { servePort, log, unfinished: caretakers.unfinished, hideSecrets: authenticator.hide, wake, dispose }
}
