import { accountName, identityIn } from '../../domain/accounts/account.ts'
import { freeColor, freeName, type AccountLabel } from '../../domain/accounts/accounts.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { PageRequest } from '../../domain/workbench/page-request.ts'
import type { PendingWork } from '../../domain/accounts/pending-work.ts'
import { totalAtWork, type AtWork } from '../../domain/updates/update.ts'
import type { AmongAccounts, ConnectRequest, OpenAccount, SeenAccounts } from './opened-account.ts'
import { AccountsSummary } from './accounts-summary.ts'
import type { AccountToOpen, NewKey } from './open-account-key.ts'
import { identityByKey, identityOf, type CheckedKey } from './check-key.ts'
import type { AccountFile } from './account-key.ts'
import { accountFolderOf, frontOf, withAccount, withoutAccount, type KeptAccounts } from './accounts-file.ts'
import type { JsonFile } from '../storage/json-file.ts'

/** Which pages there are to be, and which of them is in front. */
export interface AccountPages {
  /** `null`: the page on which an account is connected. */
  readonly front: string | null
  readonly ids: readonly string[]
  /** Was connected just now, and has not been shown yet: its page goes on with the first run. */
  readonly fresh: string | null
}

export interface AccountsOptions<S extends OpenAccount> {
  readonly file: Pick<JsonFile<KeptAccounts>, 'value' | 'update'>
  /** Opens an account, or what stands in for one where none is connected (`null`), as `openAccountKey` does. */
  readonly openAccount: (account: AccountToOpen | null, among: AmongAccounts) => Promise<S>
  /** @throws ProblemError as `checkKey` does */
  readonly checkKey: (typed: {
    readonly serviceAddress: string
    readonly apiKey: string
  }) => Promise<CheckedKey>
  /** Deletes what the account has on the disk. */
  readonly removeFiles: (id: string) => Promise<void>
  readonly log: Log
}

interface Entry<S> {
  readonly id: string
  readonly services: S
  words: AccountLabel
  readonly end: AbortController
}

/** All accounts, each with services of its own, and all of them at work: what one sees to does not wait for another. */
export class Accounts<S extends OpenAccount> {
  readonly accountPages = new Latest<AccountPages>({ front: null, ids: [], fresh: null })
  readonly #options: AccountsOptions<S>
  readonly #entries = new Map<string, Entry<S>>()
  readonly #accountsSummary = new AccountsSummary(() =>
    [...this.#entries.values()].map(({ id, words, services }) => ({ id, words, summary: services.summary })),
  )
  /** What is seen of all of them without opening the window. */
  readonly traySummary = this.#accountsSummary.traySummary
  readonly #queue = new SerialQueue()
  #nobody: S | null = null

  constructor(options: AccountsOptions<S>) {
    this.#options = options
  }

  /** Takes up what is kept. @throws ProblemError storage-failed */
  async open(): Promise<void> {
    const { file, openAccount } = this.#options
    this.#nobody = await openAccount(null, this.#among(null))
    const kept = file.value
    for (const { id, name, color } of kept.accounts) await this.#add(id, { name, color }, null)
    this.#show(frontOf(kept))
  }

  /**
   * Connects an account, or gives one that is here another key; it is in front then.
   *
   * @throws ProblemError as `checkKey` does; keychain-locked, storage-failed
   */
  async connect({ keepIn, ...typed }: ConnectRequest): Promise<void> {
    const checked = await this.#options.checkKey(typed)
    await this.#queue.take(async () => {
      const id = await this.#idFor(checked)
      const known = this.#entries.get(id)
      if (known === undefined) await this.#add(id, this.#wordsFor(checked), { key: checked, keepIn })
      else await known.services.key.use(checked, keepIn)
      this.#show(id, known === undefined ? id : null)
    })
  }

  /** @throws ProblemError no-account */
  show(id: string): void {
    this.#require(id)
    this.#show(id)
  }

  /** Brings the account to the front, on the page of one of its instances. @throws ProblemError no-account */
  openInstance(account: string, id: number): void {
    this.#require(account).services.pageRequests.give({ kind: 'instance', id })
    this.show(account)
  }

  /** Of the account that is in front, or of the page on which one is connected. */
  askFront(pageRequest: PageRequest): void {
    this.servicesOf(this.accountPages.value.front).pageRequests.give(pageRequest)
  }

  /** @throws ProblemError no-account, storage-failed; invalid-input (`name`) when another account has that name */
  async describe(id: string, words: AccountLabel): Promise<void> {
    const entry = this.#require(id)
    for (const other of this.#entries.values())
      if (other !== entry && other.words.name === words.name) throw invalidInput('name', { code: 'taken' })
    await this.#options.file.update((all) => ({
      ...all,
      accounts: all.accounts.map((one) => (one.id === id ? { ...one, ...words } : one)),
    }))
    entry.words = words
    this.#accountsSummary.refresh()
  }

  /**
   * Forgets the account and all that belongs to it on this computer.
   *
   * @throws ProblemError keychain-locked, keychain-unavailable, storage-failed: it is there as before then
   */
  async signOut(id: string): Promise<void> {
    await this.#queue.take(async () => {
      const entry = this.#require(id)
      await entry.services.signOut()
      await this.#drop(entry)
      const [next] = this.#entries.keys()
      const { front } = this.accountPages.value
      if (front === id || front === null) this.#show(next ?? null)
      // Its page is not in front, and goes all the same.
      else this.accountPages.set({ ...this.accountPages.value, ids: [...this.#entries.keys()] })
      try {
        await this.#options.removeFiles(id)
      } catch (error) {
        this.#options.log.error(
          'What was kept for an account that was signed out is still on the disk',
          error,
        )
      }
    })
  }

  /** What the page of this account may ask about all of them. */
  asSeenBy(here: string | null): SeenAccounts {
    const { lines } = this.#accountsSummary
    const { file } = this.#options
    const own = (): string => {
      if (here === null) throw new ProblemError({ kind: 'no-account' })
      return here
    }
    return {
      async *watch(signal) {
        for await (const accounts of lines.watch(signal)) yield { here, last: file.value.front, accounts }
      },
      show: (id) => this.show(id),
      openInstance: (account, id) => this.openInstance(account, id),
      add: () => this.#show(null),
      connect: (request) => this.connect(request),
      describe: (id, words) => this.describe(id, words),
      signOutEffects: () => this.#require(own()).services.signOutEffects(),
      signOut: async () => this.signOut(own()),
    }
  }

  /** All of them, in their order. */
  get all(): readonly { readonly id: string; readonly services: S }[] {
    return [...this.#entries.values()]
  }

  /** Whether this account is connected: the page of one that was signed out is still there for a moment. */
  has(id: string | null): id is string {
    return id !== null && this.#entries.has(id)
  }

  /** What serves the page of this account; of none where it is gone. */
  servicesOf(id: string | null): S {
    const services = (id === null ? undefined : this.#entries.get(id)?.services) ?? this.#nobody
    if (services === null) throw new Error('The accounts are not open')
    return services
  }

  pendingWork(): PendingWork {
    const all = [...this.#entries.values()].map(({ services }) => services.pendingWork())
    return {
      guards: all.reduce((sum, { guards }) => sum + guards, 0),
      isTrying: all.some(({ isTrying }) => isTrying),
      autoRents: all.reduce((sum, { autoRents }) => sum + autoRents, 0),
      jobs: all.reduce((sum, one) => sum + one.jobs, 0),
    }
  }

  /** Whether only the user can help: no account is connected, or the key of one can't be used. */
  needsUser(): boolean {
    const states = this.all.map(({ services }) => services.key.state.value)
    return states.length === 0 || states.some((state) => state.kind === 'none' || state.problem !== null)
  }

  /** What of all accounts would end or pause with Slipway. */
  atWork(): AtWork {
    return totalAtWork(this.all.map(({ services }) => services.signOutEffects()))
  }

  wake(): void {
    for (const { services } of this.#entries.values()) services.wake()
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#drop(entry)))
    await this.#nobody?.dispose()
  }

  /** The same key is one account, also when it may ask whose it is only since, or no longer. */
  async #idFor(key: CheckedKey): Promise<string> {
    const byKey = accountFolderOf(identityByKey(key))
    if (this.#entries.has(byKey)) return byKey
    for (const { id, services } of this.#entries.values()) if (await services.key.holds(key)) return id
    return accountFolderOf(identityOf(key))
  }

  async #add(id: string, words: AccountLabel, newKey: NewKey | null): Promise<void> {
    const file: AccountFile = {
      read: () => this.#options.file.value.accounts.find((one) => one.id === id) ?? null,
      write: async (account) => {
        await this.#options.file.update((all) =>
          account === null
            ? withoutAccount(all, id)
            : withAccount(all, { ...account, ...(this.#entries.get(id)?.words ?? words), id }),
        )
      },
    }
    const services = await this.#options.openAccount({ id, file, newKey }, this.#among(id))
    const entry = { id, services, words, end: new AbortController() }
    this.#entries.set(id, entry)
    void this.#accountsSummary.follow(entry.services.summary, entry.end.signal)
  }

  async #drop({ id, services, end }: Entry<S>): Promise<void> {
    end.abort()
    this.#entries.delete(id)
    this.#accountsSummary.refresh()
    await services.dispose()
  }

  #among(id: string | null): AmongAccounts {
    const others = (): readonly S[] =>
      [...this.#entries.values()].filter((one) => one.id !== id).map(({ services }) => services)
    const own = (): Entry<S> | undefined => (id === null ? undefined : this.#entries.get(id))
    return {
      name: () => (this.#entries.size > 1 ? (own()?.words.name ?? null) : null),
      show: () => {
        if (id !== null) this.show(id)
      },
      isNamedElsewhere: (instanceId) => others().some(({ namesInstance }) => namesInstance(instanceId)),
      otherHosts: () => others().flatMap(({ hosts }) => hosts()),
      others: {
        now: () => others().flatMap(({ key }) => identityIn(key.state.value) ?? []),
        changes: this.accountPages,
      },
    }
  }

  #show(front: string | null, fresh: string | null = null): void {
    this.accountPages.set({ front, ids: [...this.#entries.keys()], fresh })
    if (front === null) return
    // What another page has changed for all of them.
    void this.servicesOf(front).refresh()
    if (this.#options.file.value.front === front) return
    this.#options.file
      .update((all) => ({ ...all, front }))
      .catch((error: unknown) => this.#options.log.error('Which account is in front was not kept', error))
  }

  #wordsFor({ serviceAddress, user }: CheckedKey): AccountLabel {
    const others = [...this.#entries.values()].map(({ words }) => words)
    return {
      name: freeName(
        accountName({ user, serviceAddress }),
        others.map(({ name }) => name),
      ),
      color: freeColor(others.map(({ color }) => color)),
    }
  }

  #require(id: string): Entry<S> {
    const entry = this.#entries.get(id)
    if (entry === undefined) throw new ProblemError({ kind: 'no-account' })
    return entry
  }
}
