import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { composeAccountScope, type AccountScope } from './account-scope.ts'
import { Accounts, type Stage } from './accounts.ts'
import { ownerIn } from './authenticator.ts'
import type { Latest } from '../domain/base/latest.ts'
import type { Log } from '../domain/base/log.ts'
import type { AppCommandId } from '../domain/workbench/app-commands.ts'
import type { Glance } from '../domain/accounts/glance.ts'
import type { Preferences } from '../domain/settings/settings.ts'
import type { Unfinished } from '../domain/accounts/unfinished.ts'
import type { HiddenBy } from '../domain/vault/vault-view.ts'
import { createServePort, type ServePort } from '../ipc/serve.ts'
import { openInstance } from './open-instance.ts'
import { checkKey } from '../services/accounts/check-key.ts'
import { openAccountsFile } from '../services/accounts/accounts-file.ts'
import { openBegunUpdate } from '../services/updates/begun-update.ts'
import { composeShared, type Shared } from './shared-services.ts'
import type { Surroundings } from './dependencies.ts'
import { Updates } from '../services/updates/updates.ts'

export type { Stage, Surroundings }

export interface App {
  /** Which accounts there are, and which of them is to be in front. */
  readonly stage: Latest<Stage>
  /** Serves ports of the page that is for this account; `null`: for none. */
  readonly servePort: (id: string | null, ...port: Parameters<ServePort>) => void
  /** Where the page of an account begins; `null`: at the first one. */
  readonly pageOf: (id: string) => string | null
  /** Asks the page in front for a command. */
  readonly command: (id: AppCommandId) => void
  /** Brings the page of an instance to the front, or says in front that no account has it. */
  readonly openInstance: (id: number) => Promise<void>
  /** What is seen of all accounts without opening the window. */
  readonly glance: Pick<Latest<Glance>, 'watch' | 'value'>
  readonly preferences: Pick<Latest<Preferences>, 'watch' | 'value'>
  readonly log: Log
  /** What nobody sees to once it has ended. */
  readonly unfinished: () => Unfinished
  /** Tells the pages whether the window is seen: not while it is minimized or hidden. Before the first call it is not. */
  readonly windowVisible: (isVisible: boolean) => void
  /** Tells all pages that the end is near; resolves when each has kept what it still held. */
  readonly tellPages: () => Promise<void>
  /** The computer slept: what was known of links and instances may be hours old. */
  readonly wake: () => void
  /** Takes secrets off the screen: nobody may be in front of it any more. */
  readonly hideSecrets: (by: HiddenBy) => void
  /** The window has the keyboard: what only a program that has it can do is done now. */
  readonly focused: () => void
  /** Ends everything: the accounts and the clipboard side by side, then what they use. */
  readonly dispose: () => Promise<void>
}

/** The composition root: what all accounts use, and then each account. */
export async function createApp(surroundings: Surroundings): Promise<App> {
  const end = new AbortController()
  const shared = await composeShared(surroundings, end.signal)
  const { log, authenticator, trueClock, vault } = shared
  const updates = new Updates({
    source: surroundings.updates.source(log),
    currentVersion: surroundings.about.version,
    preferences: shared.preferences.latest,
    atWork: () => accounts.atWork(),
    ask: surroundings.updates.ask,
    notify: (version) =>
      shared.showNotification(
        {
          title: `Slipway ${version} is available`,
          body: 'Settings, “Updates”, says what is new.',
          actionLabel: null,
        },
        { onOpen: () => command('updates'), onAction: () => undefined },
      ),
    begun: await openBegunUpdate(shared.file('update.json')),
    clock: surroundings.clock,
    log,
  })
  const accounts = await openAccounts(shared, updates)
  const following = [
    authenticator.follow(end.signal),
    vault.sessionKeys.follow(end.signal, log),
    updates.follow(end.signal),
    followFront(),
    shared.crashDumps.follow(end.signal),
  ]

  async function followFront(): Promise<void> {
    for await (const { front } of accounts.stage.watch(end.signal)) shared.pageVisibility.setFront(front)
  }

  async function dispose(): Promise<void> {
    await Promise.all([authenticator.dispose(), accounts.dispose()])
    end.abort()
    await Promise.all(following)
  }

  function command(id: AppCommandId): void {
    accounts.scopeOf(accounts.stage.value.front).errands.give({ kind: 'command', id })
  }

  function wake(): void {
    trueClock.drop()
    accounts.wake()
  }

  return {
    stage: accounts.stage,
    servePort: (id, ...port) => accounts.scopeOf(id).servePort(...port),
    pageOf: (id) => accounts.scopeOf(id).page(),
    command,
    openInstance: (id) => openInstance(id, { accounts, clock: surroundings.clock, signal: end.signal }),
    glance: accounts.glance,
    preferences: shared.preferences.latest,
    log,
    unfinished: () => accounts.unfinished(),
    windowVisible: (isVisible) => shared.pageVisibility.setWindowVisible(isVisible),
    tellPages: () => shared.farewell.tell(),
    hideSecrets: authenticator.hide,
    focused: authenticator.focused,
    wake,
    dispose,
  }
}

type ServedScope = AccountScope & { readonly servePort: ServePort }

async function openAccounts(shared: Shared, updates: Updates): Promise<Accounts<ServedScope>> {
  const { surroundings, log, remember, showNotification, trueClock } = shared
  const { userData, proxy } = surroundings
  const folderOf = (id: string | null): string => join(userData, 'accounts', id ?? 'none')

  const accounts: Accounts<ServedScope> = new Accounts<ServedScope>({
    file: await openAccountsFile(shared.file('accounts.json')),
    compose: async (opened) => {
      const id = opened?.id ?? null
      const scope = await composeAccountScope({
        shared,
        folder: folderOf(id),
        opened,
        connect: (request) => accounts.connect(request),
        accounts: accounts.asSeenBy(id),
        proxy: {
          watch: (signal) => proxy.question.watch(signal),
          logIn: (questionId, login) => {
            remember(login.password)
            proxy.answer(questionId, login)
            accounts.wake()
          },
        },
        updates,
        visibility: (signal) => shared.pageVisibility.watch(id, signal),
        show: (shown, answers) => {
          const name = id === null ? null : accounts.nameAmongOthers(id)
          showNotification(name === null ? shown : { ...shown, title: `${name}: ${shown.title}` }, {
            ...answers,
            onOpen: () => {
              if (id !== null) accounts.show(id)
              answers.onOpen()
            },
          })
        },
        isNamedElsewhere: (instanceId) =>
          accounts
            .othersThan(id)
            .some(({ services }) => services.sshConfig.state.value.instanceIds.includes(instanceId)),
        otherHosts: () => accounts.othersThan(id).flatMap(({ hosts }) => hosts()),
        others: {
          now: () => accounts.othersThan(id).flatMap(({ account }) => ownerIn(account.state.value) ?? []),
          changes: accounts.stage,
        },
      })
      return { ...scope, servePort: createServePort(scope.services) }
    },
    checkKey: (typed) => checkKey(typed, { ...surroundings, remember, onDate: trueClock.note }),
    removeFiles: (id) => rm(folderOf(id), { recursive: true, force: true }),
    log,
  })
  await accounts.open()
  return accounts
}
