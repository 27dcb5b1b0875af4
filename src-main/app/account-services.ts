import type { Caretakers } from './caretakers.ts'
import { composeDiagnostics } from './diagnostics.ts'
import type { Errands } from '../services/workbench/errands.ts'
import { createInstanceLinks } from '../services/instances/links.ts'
import type { Services } from '../ipc/services.ts'
import { createLicenses } from './licenses.ts'
import type { Machines } from './machines.ts'
import { createCloud } from '../services/cloud/cloud.ts'
import type { ConnectedAccount } from '../services/accounts/connected-account.ts'
import { createKeyHealthDesk } from '../services/accounts/key-permissions.ts'
import { searchOffers } from '../services/rental-api/offers.ts'
import type { Rentals } from './rentals.ts'
import type { FrameDeskFile } from '../services/workbench/frame-desk.ts'
import type { OfferListsFile } from '../services/offers/offer-lists.ts'
import { SettingsTransfer } from '../services/settings/settings-transfer.ts'
import type { Folder, Shared } from './shared-services.ts'
import type { SshWays } from './ssh-ways.ts'
import type { Templates } from './templates.ts'

/** What an account is made of, as far as its page is served of it. */
export interface AccountParts extends Pick<Services, 'accounts' | 'proxy' | 'security' | 'updates'> {
  readonly shared: Shared
  /** For all files of the account. */
  readonly folder: string
  /** Files in it that could not be read in this run, or are a newer Slipway's. */
  readonly notices: Folder['notices']
  readonly account: ConnectedAccount
  readonly connect: Services['account']['connect']
  readonly offerLists: OfferListsFile
  readonly templates: Pick<Templates, 'services'>
  readonly rentals: Rentals
  readonly ssh: SshWays
  readonly machines: Machines
  readonly caretakers: Pick<Caretakers, 'services'>
  /** The vault, as this account's page sees it. */
  readonly desk: Services['authenticator']['desk']
  readonly frame: FrameDeskFile
  readonly errands: Pick<Errands, 'watch'>
  /** Whether its page is seen. */
  readonly visibility: Services['frame']['visibility']
  /** Where the services and the machines of all accounts are (`hostsOfAccount`). */
  readonly allHosts: () => readonly string[]
}

/** The part of the composition root that puts together what the page of an account is served. */
export function accountServices(parts: AccountParts): Services {
  const { shared, folder, account, rentals, ssh, machines } = parts
  const { surroundings, log, preferences, programs } = shared
  const { clock } = surroundings
  const { watch, rentDesk, list, activity } = rentals

  return {
    account: { ...account, connect: parts.connect },
    accounts: parts.accounts,
    keyHealth: createKeyHealthDesk({ account, clock }),
    keychain: shared.vault,
    sshAccess: ssh.access,
    sshConfig: ssh.config,
    knownHosts: ssh.knownHosts,
    templates: parts.templates.services,
    cloud: createCloud({ http: account.http, clock, hide: shared.hide }),
    renting: { preview: rentDesk.preview },
    offers: {
      search: (query, signal) => searchOffers(account.http, query, signal),
      lists: parts.offerLists,
    },
    instances: rentals.services(
      createInstanceLinks({
        list,
        user: () => preferences.latest.value.sshUser,
        aliasOf: (id) => ssh.config.aliasOf(id),
        programs,
        activity,
      }),
    ),
    ...parts.caretakers.services,
    ...machines.services,
    terminals: {
      ...machines.terminals,
      openPlainLink: programs.openPlainLink,
      open: (request) => {
        void activity.note(request.instanceId, { kind: 'terminal-opened' })
        return machines.terminals.open(request)
      },
    },
    security: parts.security,
    settings: {
      preferences: preferences.latest,
      update: preferences.update,
      transfer: new SettingsTransfer({
        preferences,
        lists: parts.offerLists,
        account: account.state,
        chooseFile: surroundings.secrets.chooseFile,
        app: `Slipway ${surroundings.about.version}`,
        now: clock.now,
        log,
      }),
      // Those of all accounts are opened before any account is.
      async *notices(signal) {
        for await (const own of parts.notices.watch(signal)) yield [...shared.storageNotices.value, ...own]
      },
      about: { ...surroundings.about, userData: surroundings.userData, logFile: log.path },
    },
    proxy: parts.proxy,
    updates: parts.updates,
    diagnostics: composeDiagnostics({
      shared,
      folder,
      account: () => account.state.value,
      listed: () => watch.snapshot.value,
      connections: () => machines.connections.list.value.map(({ state }) => state.kind),
      hosts: parts.allHosts,
      configuredNames: ssh.hostConfig.names,
    }),
    licenses: createLicenses(surroundings),
    authenticator: { ...shared.authenticator.services, desk: parts.desk },
    frame: {
      ...parts.frame,
      errands: (signal) => parts.errands.watch(signal),
      visibility: parts.visibility,
      farewell: (signal) => shared.farewell.watch(signal),
    },
    now: clock.now,
    log,
  }
}
