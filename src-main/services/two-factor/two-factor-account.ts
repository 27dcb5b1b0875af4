import type { AccountState } from '../../domain/accounts/account.ts'
import { Latest } from '../../domain/base/latest.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { AccountTwoFactor, KnownTwoFactor } from '../../domain/two-factor/two-factor.ts'
import type { TwoFactorRecord } from '../../domain/two-factor/methods.ts'
import type { VaultAccount } from '../../domain/vault/vault-view.ts'
import { sendOnce } from '../rental-api/send-once.ts'
import type { TwoFactorClient } from '../rental-api/two-factor.ts'
import { HeldFacts } from './account-facts.ts'
import { AccountSession } from './account-session.ts'
import { endsOf, viewOf } from './account-view.ts'
import type { OpenStep } from './pending-steps.ts'
import { settleOpenSteps } from './lost-replies.ts'
import { NextDeadline } from './next-deadline.ts'
import type { TwoFactorAccountOptions } from './parts.ts'
import { isTwoFactorRefusal } from './two-factor-refusal.ts'

/** Why nobody knows whether the service did what it was asked for. */
export interface Lost {
  readonly error: unknown
}

type Connected = Extract<AccountState, { kind: 'connected' }>

/** The account's 2FA: what the service says of it, and what this machine knows besides. */
export class TwoFactorAccount {
  readonly state = new Latest<AccountTwoFactor>({ kind: 'no-account' })
  /** What the service has said of it. */
  readonly facts: HeldFacts
  readonly #options: TwoFactorAccountOptions
  readonly #session: AccountSession
  /** Resolves once the session of an earlier run is taken. */
  #taking: Promise<void> = Promise.resolve()
  #asking: Promise<void> | null = null
  /** A lockout or the window to add methods ends by itself: the service is asked then how things stand. */
  readonly #deadline: NextDeadline
  /** Steps that wait for their reply: it settles them. */
  readonly #inFlight = new Set<string>()
  /** A secret of a procedure under way is not one that was left behind. */
  #entryInUse: string | null = null

  constructor(options: TwoFactorAccountOptions) {
    this.#options = options
    this.facts = new HeldFacts({ clock: options.clock, log: options.log, onChange: this.touch })
    this.#session = new AccountSession({ ...options, onChange: this.touch })
    this.#deadline = new NextDeadline(options.clock, () => void this.refresh())
    this.#publish()
  }

  /** As the vault names it. @throws ProblemError no-account */
  get vaultAccount(): VaultAccount {
    const { serviceAddress, userId } = this.#require()
    return { serviceAddress, userId }
  }

  /** As the account’s record has it; `null` when there is none, or it is not known. */
  get emailAddress(): string | null {
    return this.#connected?.user?.email ?? null
  }

  /** As it was last asked for; `null` before the first answer. */
  get known(): KnownTwoFactor | null {
    return this.state.value.kind === 'known' ? this.state.value : null
  }

  /** For everything here: by the session if there is one, else by the API key. */
  get client(): TwoFactorClient {
    return this.#options.clientOf(this.#session.key)
  }

  /** By the API key: a login gives its session in the reply only to that. */
  get keyClient(): TwoFactorClient {
    return this.#options.clientOf(null)
  }

  /** Asks the service. Failures are in the state. Those who ask while it is asked get the same answer. */
  refresh(): Promise<void> {
    if (this.#connected === null) return Promise.resolve()
    if (this.#asking !== null) return this.#asking
    const asking = this.#ask().finally(() => {
      if (this.#asking === asking) this.#asking = null
      this.#publish()
    })
    this.#asking = asking
    this.#publish()
    return asking
  }

  /** Asks anew, also when an answer is on its way that may be older than what was just done. */
  async refreshAnew(): Promise<boolean> {
    await this.#asking
    await this.refresh()
    return this.facts.value.problem === null
  }

  /** What is said of the account is taken whichever of its keys it was asked by. */
  async #ask(): Promise<void> {
    const checking = this.#options.check()
    try {
      const status = await this.#status()
      await checking
      if (this.#connected === null) return
      this.facts.answered(status)
      const account = this.vaultAccount
      await settleOpenSteps({ ...this.#options, account, status, inFlight: this.#inFlight })
    } catch (error) {
      await checking
      if (this.#connected !== null) this.facts.failed(error)
    }
  }

  async #status(): Promise<TwoFactorRecord> {
    await this.#taking
    try {
      return await this.client.status()
    } catch (error) {
      if (this.#session.key === null || !isTwoFactorRefusal(error, 'auth_error')) throw error
      await this.dropSession()
      return this.client.status()
    }
  }

  /** The service has flagged the account for SMS fraud, or cleared it. @throws ProblemError no-account, storage-failed */
  async noteSmsDisabled(isDisabled: boolean): Promise<void> {
    this.#require()
    await this.#options.pendingSteps.setSmsDisabled(isDisabled)
    this.#publish()
  }

  /**
   * Sends a step once, written down before, and leaves it to its reply, which `take` gets. What was not closed by then
   * is settled later. @returns why no usable reply came; `null` when one did
   */
  async takeStep<T>(
    step: OpenStep,
    send: () => Promise<T>,
    take: (reply: T) => Promise<void>,
  ): Promise<Lost | null> {
    const { pendingSteps } = this.#options
    this.#inFlight.add(step.id)
    try {
      const sent = await sendOnce<{ readonly reply: T } | Lost>(
        { keep: () => pendingSteps.open(step), drop: () => pendingSteps.close(step.id) },
        async () => ({ reply: await send() }),
        async (error) => ({ error }),
      )
      if ('error' in sent) return sent
      try {
        await take(sent.reply)
      } catch (error) {
        // The service has done it: what is left of it is settled by what the account shows, and told.
        this.#inFlight.delete(step.id)
        await this.refreshAnew()
        throw error
      }
      return null
    } finally {
      this.#inFlight.delete(step.id)
    }
  }

  /** The secret that a procedure sets up now, by its id in the vault; `null`: none, so that one left behind is told. */
  useEntry(entryId: string | null): void {
    this.#entryInUse = entryId
    this.#publish()
  }

  /** A login opened it: it is used from here on, and kept as far as it can be. @throws ProblemError no-account */
  async beginSession(key: string, isAdmin: boolean, keepIn: 'keychain' | 'memory') {
    await this.#options.useSession(null)
    return this.#session.begin(this.#require().keyId, key, isAdmin, keepIn)
  }

  /** See `chooseBearer` of the contract. */
  async chooseBearer(bearer: 'api-key' | 'admin-session'): Promise<void> {
    if (bearer === 'api-key') return this.#options.useSession(null)
    const { key, shown } = this.#session
    if (key === null || shown?.isAdmin !== true)
      throw new ProblemError({ kind: 'session-ended', otherUserId: null })
    const drop = (): void => {
      if (this.#session.key === key) void this.dropSession()
    }
    await this.#options.useSession({ key, drop })
  }

  /** From now on the API key is used again. @throws ProblemError storage-failed: the session goes on then */
  async endSession(): Promise<void> {
    await this.#options.useSession(null)
    const account = this.#connected
    if (account !== null) await this.#session.end(account.keyId)
  }

  /** The service has ended it. */
  async dropSession(): Promise<void> {
    await this.#options.useSession(null)
    const account = this.#connected
    if (account !== null) await this.#session.drop(account.keyId)
  }

  /** Tells the state anew: the vault, the clock or the pending steps changed. */
  readonly touch = (): void => this.#publish()

  /**
   * Tells the state anew when something that it is made of changes, and asks again once the service is back. Ends
   * when the signal is aborted.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const { vault, sessions } = this.#options
    const touchAtEach = async (changes: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of changes) this.touch()
    }
    signal.addEventListener('abort', () => this.#deadline.stop(), { once: true })
    await Promise.all([
      touchAtEach(vault.entries.watch(signal)),
      touchAtEach(vault.backupSets.watch(signal)),
      touchAtEach(vault.correctedClock.state.watch(signal)),
      touchAtEach(sessions.left.watch(signal)),
      this.#followAccount(signal),
    ])
  }

  /** There is no timer here: that the account's record can be had again says when to ask. */
  async #followAccount(signal: AbortSignal): Promise<void> {
    let keyId: string | null = null
    for await (const state of this.#options.account.watch(signal)) {
      const next = state.kind === 'none' ? null : state.keyId
      if (next !== keyId) this.#useKey(next, keyId !== null)
      else this.#askIfBack(state)
      keyId = next
    }
  }

  /** The session goes with the key that it was opened by; what is under way goes on by the new one. */
  #useKey(keyId: string | null, isOther: boolean): void {
    this.#taking = this.#session.useKey(keyId)
    this.#publish()
    // Not waited for: with a service or a keychain that hangs, the program's end would be.
    // What is on its way by the former key may be refused.
    void (isOther ? this.refreshAnew() : this.refresh())
  }

  #askIfBack(state: AccountState): void {
    this.touch()
    const { failedAt } = this.facts.value
    const isBack =
      state.kind !== 'none' &&
      failedAt !== null &&
      state.problem === null &&
      (state.checkedAt ?? 0) > failedAt
    if (isBack) void this.refresh()
  }

  #publish(): void {
    const account = this.#connected
    const view: AccountTwoFactor =
      account === null
        ? { kind: 'no-account' }
        : viewOf({
            ...this.#options,
            account,
            user: account.user,
            facts: this.facts.value,
            session: this.#session.shown,
            isSessionLeft: this.#session.isLeft(account.keyId),
            entryInUse: this.#entryInUse,
            isChecking: this.#asking !== null,
          })
    this.state.set(view)
    const { pendingSteps, vault } = this.#options
    this.#deadline.set(endsOf(this.facts.value, pendingSteps.notes.open, vault.correctedClock.toLocal))
  }

  /** `null` once it was signed out. */
  get #connected(): Connected | null {
    const { value } = this.#options.account
    return value.kind === 'none' ? null : value
  }

  #require(): Connected {
    const account = this.#connected
    if (account === null) throw new ProblemError({ kind: 'no-account' })
    return account
  }
}
