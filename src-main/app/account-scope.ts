import { join } from 'node:path'
import { accountOutlook, type AccountOutlook } from './account-outlook.ts'
import { composeSecurity } from './account-security.ts'
import { accountServices, type AccountParts } from './account-services.ts'
import { composeCaretakers } from './caretakers.ts'
import { blockFinder } from '../domain/offers/offer-lists.ts'
import { hostsOfAccount } from '../services/diagnostics/account-hosts.ts'
import type { AccountLeaving } from '../domain/accounts/accounts.ts'
import { Errands } from '../services/workbench/errands.ts'
import type { Unfinished } from '../domain/accounts/unfinished.ts'
import { keepAccountFresh } from '../services/accounts/account-freshness.ts'
import type { ShowNotification } from '../services/notifications/notifier.ts'
import type { Services } from '../ipc/services.ts'
import { leavingOf } from './leaving.ts'
import { composeMachines } from './machines.ts'
import { openAccountKey, type AccountToOpen } from './open-account-key.ts'
import type { ConnectedAccount } from '../services/accounts/connected-account.ts'
import { searchOffers } from '../services/rental-api/offers.ts'
import { composeRentals } from './rentals.ts'
import { folderOfOwner } from '../services/accounts/accounts-file.ts'
import { openFrameDesk } from '../services/workbench/frame-desk.ts'
import { openOfferLists } from '../services/offers/offer-lists.ts'
import { signOut } from './sign-out.ts'
import { composeSshWays } from './ssh-ways.ts'
import { composeTemplates } from './templates.ts'
import type { OtherAccounts } from '../services/vault/vault-desk.ts'

export interface AccountScopeOptions extends Pick<
  AccountParts,
  'shared' | 'folder' | 'accounts' | 'connect' | 'proxy' | 'updates' | 'visibility'
> {
  /** `null` for what stands in for an account where none is connected. */
  readonly opened: AccountToOpen | null
  readonly show: ShowNotification
  /** Whether another account has an instance of this id, by whose name ssh then knows that one. */
  readonly isNamedElsewhere: (instanceId: number) => boolean
  readonly others: OtherAccounts
  /** Where the services and machines of the other accounts are. */
  readonly otherHosts: () => readonly string[]
}

/** Everything of one account: nothing in it knows of another one. */
export interface AccountScope {
  readonly account: Pick<ConnectedAccount, 'state' | 'use'>
  readonly services: Services
  /** What others are told of it. */
  readonly outlook: AccountOutlook
  /** What its page is asked for from outside of it. */
  readonly errands: Pick<Errands, 'give'>
  /** Where its service and its machines are (`hostsOfAccount`). */
  readonly hosts: () => readonly string[]
  /** Where its page begins; `null`: at the first one. */
  readonly page: () => string | null
  readonly leaving: () => AccountLeaving
  /** As `signOut` of sign-out.ts. */
  readonly signOut: () => Promise<void>
  /** Looks again at what the pages of other accounts may have changed. */
  readonly refresh: () => Promise<void>
  /** What nobody sees to once it has ended. */
  readonly unfinished: () => Unfinished
  /** The computer slept: what was known of links and instances may be hours old. */
  readonly wake: () => void
  /** Ends everything, last made first. */
  readonly dispose: () => Promise<void>
}

/**
 * The part of the composition root that puts together all that belongs to one account.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does, and keychain-locked for a new key: it is not kept then
 */
export async function composeAccountScope(options: AccountScopeOptions): Promise<AccountScope> {
  const { shared, opened } = options
  const account = await openAccountKey(shared, opened)
  try {
    return await composeAround(account, options)
  } catch (error) {
    if (opened !== null && opened.newKey !== null) {
      const stays = (what: string) => (refusal: unknown) => {
        shared.log.error(`${what} of an account that could not be opened is still kept`, refusal)
      }
      // Off the disk also where its key cannot be forgotten: the next start would open it, and fail with it.
      await opened.file.write(null).catch(stays('The entry'))
      await account.forget().catch(stays('The key'))
    }
    throw error
  }
}

async function composeAround(account: ConnectedAccount, options: AccountScopeOptions): Promise<AccountScope> {
  const { shared, folder } = options
  const { surroundings, log, remember, preferences, vault, trueClock, programs, knownHostsFile } = shared
  const { clock, random, randomId, homeFolder, agentSocket } = surroundings
  const end = new AbortController()
  const { file, notices } = shared.openFolder(folder, (owner) => folderOfOwner(owner) === options.opened?.id)

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
  const offerLists = await openOfferLists({ ...file('offer-lists.json'), randomId })

  const templates = await composeTemplates({ account, file, clock, randomId, log, hide: shared.hide })
  const rentals = await composeRentals({
    account,
    vault,
    file,
    clock,
    random,
    randomId,
    log,
    remember,
    isHeld: (rentalId) => caretakers.holds(rentalId),
    latestHash: templates.latestHash,
  })
  const { watch, renting, rentDesk, list, activity } = rentals

  const ssh = await composeSshWays({
    shared,
    folder,
    file,
    account: account.state,
    snapshot: watch.snapshot,
    isNamedElsewhere: options.isNamedElsewhere,
  })

  const machines = await composeMachines({
    http,
    preferences: preferences.latest,
    access: ssh.access,
    loginSecrets: {
      passwords: vault.hostPasswords,
      codeFor: (entryId, signal) => vault.totp.codeForHost(entryId, signal),
      remember: shared.remember,
      log,
    },
    choices: ssh.choices,
    agentSocket,
    locale: surroundings.locale,
    hostConfig: ssh.hostConfig,
    knownHostsFile,
    hostKeys: file('host-keys.json'),
    clock,
    random,
    randomId,
    log,
    files: {
      file: file('transfers.json'),
      homeFolder,
      platform: process.platform,
      umask: surroundings.umask,
      trash: surroundings.trash,
      chooseToUpload: surroundings.chooseToUpload,
    },
    desks: { ...file('terminals.json'), screensFolder: join(folder, 'scrollback') },
    onRunning: (id) => void activity.note(id, { kind: 'command-run' }),
    snippets: file('snippets.json'),
    forwards: { file: file('forwards.json'), snapshot: watch.snapshot, openPort: programs.openPort },
  })

  const caretakers = await composeCaretakers({
    file,
    clock,
    log,
    randomId,
    watch,
    actions: rentals.actionsBy('caretaker'),
    account: account.state,
    preferences: preferences.latest,
    seal: shared.seal,
    connected: machines.connected,
    show: options.show,
    labelOf: list.labelOf,
    bodyOf: rentDesk.body,
    search: (query) => searchOffers(http, query),
    renting,
    isBlocked: (offer) => blockFinder(offerLists.latest.value)(offer) !== null,
  })
  const hosts = (): readonly string[] =>
    hostsOfAccount({
      account: account.state.value,
      instances: watch.snapshot.value.instances ?? list.remembered(),
      connections: machines.connections.list.value.map(({ state }) => state),
      choices: ssh.choices.latest.value.values(),
    })
  const errands = new Errands()
  const frame = await openFrameDesk({ ...file('frame.json'), preferences: preferences.latest })
  const desk = shared.authenticator.deskOf(account.state, options.others)

  const services = accountServices({
    ...options,
    account,
    security,
    offerLists,
    templates,
    rentals,
    ssh,
    machines,
    caretakers,
    desk,
    frame,
    errands,
    notices,
    allHosts: () => [...hosts(), ...options.otherHosts()],
  })

  await rentals.resume()

  const following = [
    rentals.follow(end.signal),
    ssh.follow(end.signal),
    machines.follow(end.signal),
    keepAccountFresh({
      account: account.state,
      check: account.check,
      watch,
      keychain: vault.state,
      signal: end.signal,
    }),
    caretakers.follow(end.signal),
    desk.follow(end.signal),
    security.follow(end.signal),
  ]
  const { value } = account.state
  if (value.kind === 'connected') {
    if (value.checkedAt === null) void account.check()
    watch.start(list.remembered())
  }

  async function dispose(): Promise<void> {
    await machines.dispose()
    watch.stop()
    end.abort()
    await Promise.all(following)
    templates.dispose()
  }

  function wake(): void {
    machines.connections.wake()
    void watch.refresh()
    security.wake()
  }

  return {
    account,
    services,
    outlook: accountOutlook({
      state: account.state,
      snapshot: watch.snapshot,
      list: list.list,
      alarms: caretakers.services.guards.alarms,
      guards: caretakers.services.guards.book.state,
    }),
    errands,
    hosts,
    page: frame.page,
    leaving: () =>
      leavingOf({
        account: account.state.value,
        unfinished: caretakers.unfinished(),
        watch,
        machines,
        vault,
      }),
    signOut: async () => {
      await signOut({ account, vault, sshConfig: ssh.config })
      // Before its work on instances has ended, which takes its time: no rule may say that it acts, and cannot.
      watch.stop()
      end.abort()
    },
    refresh: () => ssh.access.refresh(),
    unfinished: caretakers.unfinished,
    wake,
    dispose,
  }
}
