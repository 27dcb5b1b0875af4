import { ownerOf, type AccountState } from '../domain/account.ts'
import { Latest } from '../domain/latest.ts'
import { ProblemError, type Problem } from '../domain/problem.ts'
import { securityOf } from '../domain/security-view.ts'
import type { AccountSecurity, KnownSecurity } from '../domain/security.ts'
import { addWindowMs, type TfaStatus } from '../domain/tfa.ts'
import type { VaultAccount } from '../domain/vault-view.ts'
import type { TfaClient } from '../rental/tfa.ts'
import type { OpenStep } from './book.ts'
import { settleOpenSteps } from './lost-replies.ts'
import type { HeldSession, SecurityParts, SessionStore } from './parts.ts'
import { unfinishedSteps } from './unfinished-steps.ts'

type Connected = Extract<AccountState, { kind: 'connected' }>

export interface SecurityAccountOptions extends SecurityParts {
  readonly account: Pick<Latest<AccountState>, 'value' | 'watch'>
  /** Asks for the account's record again. Never rejects. */
  readonly check: () => Promise<void>
  /** Speaks in the name of this owner only, with the session's key if there is one. */
  readonly clientOf: (owner: string, sessionKey: string | null) => TfaClient
  readonly sessions: SessionStore
}

interface Known {
  readonly status: TfaStatus
  readonly checkedAt: number
}

/** The second factor of the account in use: what the service says of it, and what this machine knows besides. */
export class SecurityAccount {
  readonly state = new Latest<AccountSecurity>({ kind: 'no-account' })
  readonly #options: SecurityAccountOptions
  #current: Connected | null = null
  #known: Known | null = null
  #team: { readonly message: string; readonly checkedAt: number } | null = null
  #problem: Problem | null = null
  #emailRefused: 'unverified' | 'missing' | null = null
  #windowClosesAt: number | null = null
  #session: HeldSession | null = null
  #asking: Promise<void> | null = null
  /** Ends the wait for the next lockout or window that is over. */
  #deadline = new AbortController()
  /** Steps that wait for their reply: it settles them. */
  readonly #inFlight = new Set<string>()
  /** A secret of a procedure under way is not one that was left behind. */
  #entryInUse: string | null = null

  constructor(options: SecurityAccountOptions) {
    this.#options = options
  }

  /** Whose second factor it is. @throws ProblemError no-account */
  get owner(): string {
    return ownerOf(this.#require())
  }

  get vaultAccount(): VaultAccount {
    const { serviceAddress, userId } = this.#require()
    return { serviceAddress, userId }
  }

  get emailAddress(): string | null {
    return this.#user()?.email ?? null
  }

  /** As it was last asked for; `null` before the first answer. */
  get known(): KnownSecurity | null {
    return this.state.value.kind === 'known' ? this.state.value : null
  }

  /** For everything here: by the session if there is one, else by the API key. */
  get client(): TfaClient {
    return this.#options.clientOf(this.owner, this.#session?.key ?? null)
  }

  /** By the API key: a login gives its session in the reply only to that. */
  get keyClient(): TfaClient {
    return this.#options.clientOf(this.owner, null)
  }

  async enter(account: Connected): Promise<void> {
    this.#current = account
    this.#publish()
    const session = await this.#options.sessions.read(account.accountId)
    if (this.#current !== account) return
    this.#session = session
    if (session !== null) this.#options.remember(session.key)
    // Not waited for: what is bound to the account after this must not wait for the network.
    void this.refresh()
  }

  leave(): void {
    this.#current = null
    this.#known = null
    this.#team = null
    this.#problem = null
    this.#emailRefused = null
    this.#windowClosesAt = null
    this.#session = null
    this.#asking = null
    this.#entryInUse = null
    this.#publish()
  }

  /** Asks the service. Failures are in the state. Those who ask while it is asked get the same answer. */
  refresh(): Promise<void> {
    const account = this.#current
    if (account === null) return Promise.resolve()
    if (this.#asking !== null) return this.#asking
    const asking = this.#ask(account).finally(() => {
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
    return this.#problem === null
  }

  async #ask(account: Connected): Promise<void> {
    const { check, clock, log } = this.#options
    const checking = check()
    try {
      const status = await this.#status()
      await checking
      if (this.#current !== account) return
      this.#known = { status, checkedAt: clock.now() }
      this.#team = null
      this.#problem = null
      this.#emailRefused = null
      await settleOpenSteps({ ...this.#options, ...this.#whose(), status, inFlight: this.#inFlight })
    } catch (error) {
      await checking
      if (this.#current !== account) return
      if (error instanceof ProblemError) this.#learn(error.problem)
      else this.#problem = { kind: 'unexpected', id: log.error('The state of 2FA could not be read', error) }
    }
  }

  async #status(): Promise<TfaStatus> {
    try {
      return await this.client.status()
    } catch (error) {
      const isSessionOver =
        error instanceof ProblemError &&
        error.problem.kind === 'tfa-refused' &&
        error.problem.code === 'auth_error'
      if (!isSessionOver || this.#session === null) throw error
      await this.dropSession()
      return this.client.status()
    }
  }

  /** What a refusal says of the account itself. */
  #learn(problem: Problem): void {
    if (problem.kind === 'tfa-refused' && problem.code === 'team_user_forbidden')
      this.noteTeam(problem.message)
    else this.#problem = problem
  }

  noteTeam(message: string): void {
    this.#team = { message, checkedAt: this.#options.clock.now() }
    this.#publish()
  }

  noteEmail(refused: 'unverified' | 'missing'): void {
    this.#emailRefused = refused
    this.#publish()
  }

  async noteSmsDisabled(isDisabled: boolean): Promise<void> {
    await this.#options.book.setSmsDisabled(this.owner, isDisabled)
    this.#publish()
  }

  /** The window of 30 minutes was opened (or was found to be closed) just now. */
  noteWindow(isOpen: boolean): void {
    this.#windowClosesAt = isOpen ? this.#options.clock.now() + addWindowMs : null
    if (this.#known !== null)
      this.#known = { ...this.#known, status: { ...this.#known.status, new_method_authorized: isOpen } }
    this.#publish()
  }

  /** Writes the step down before it is taken, and leaves it to its reply. What was not closed by then is settled later. */
  async takeStep<T>(step: OpenStep, take: () => Promise<T>): Promise<T> {
    this.#inFlight.add(step.id)
    try {
      await this.#options.book.open(this.owner, step)
      return await take()
    } finally {
      this.#inFlight.delete(step.id)
    }
  }

  useEntry(entryId: string | null): void {
    this.#entryInUse = entryId
    this.#publish()
  }

  async useSession(key: string, isAdmin: boolean, keepIn: 'keychain' | 'memory') {
    const { sessions, clock, remember } = this.#options
    const { accountId } = this.#require()
    remember(key)
    const session = { key, isAdmin, since: clock.now() }
    const { keptIn } = await sessions.keep(accountId, session, keepIn)
    this.#session = { ...session, keptIn }
    this.#publish()
    return { keptIn }
  }

  /** From now on the API key is used again. */
  async dropSession(): Promise<void> {
    const { sessions, log } = this.#options
    if (this.#session === null) return
    this.#session = null
    this.#publish()
    try {
      await sessions.forget(this.#require().accountId)
    } catch (error) {
      log.error('A session that has ended is still in the keychain', error)
    }
  }

  /** Tells the state anew: the vault, the clock or the book changed. */
  readonly touch = (): void => this.#publish()

  async follow(signal: AbortSignal): Promise<void> {
    const { vault } = this.#options
    const touchAtEach = async (changes: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of changes) this.touch()
    }
    signal.addEventListener('abort', () => this.#deadline.abort(), { once: true })
    await Promise.all([
      touchAtEach(vault.entries.watch(signal)),
      touchAtEach(vault.backupSets.watch(signal)),
      touchAtEach(vault.trueClock.state.watch(signal)),
      touchAtEach(this.#options.account.watch(signal)),
    ])
  }

  #publish(): void {
    this.state.set(this.#look())
    this.#waitForDeadline()
  }

  #look(): AccountSecurity {
    const { vault, clock, book } = this.#options
    if (this.#current === null) return { kind: 'no-account' }
    if (this.#team !== null) return { kind: 'team', ...this.#team }
    const isChecking = this.#asking !== null
    if (this.#known === null) return { kind: 'unknown', problem: this.#problem, isChecking }
    const notes = book.of(this.owner)
    const session = this.#session && {
      isAdmin: this.#session.isAdmin,
      since: this.#session.since,
      keptIn: this.#session.keptIn,
    }
    return securityOf({
      ...this.#known,
      user: this.#user(),
      emailRefused: this.#emailRefused,
      windowClosesAt: this.#windowClosesAt,
      isSmsDisabled: notes.isSmsDisabled,
      session,
      unfinished: unfinishedSteps({
        notes,
        entries: vault.entries.value,
        backupSets: vault.backupSets.value,
        account: this.vaultAccount,
        entryInUse: this.#entryInUse,
      }),
      entryOf: (methodId) => vault.totp.find(this.vaultAccount, methodId),
      problem: this.#problem,
      isChecking,
      now: clock.now(),
      toLocal: vault.trueClock.toLocal,
    })
  }

  /** A lockout or the window to add methods ends by itself: the service is asked then how things stand. */
  #waitForDeadline(): void {
    this.#deadline.abort()
    const known = this.known
    if (known === null) return
    const ends = [
      ...known.methods.map(({ lockedUntil }) => lockedUntil),
      known.addWindow.kind === 'open' ? known.addWindow.closesAt : null,
    ].filter((at) => at !== null)
    if (ends.length === 0) return
    this.#deadline = new AbortController()
    const { clock } = this.#options
    clock.sleep(Math.max(0, Math.min(...ends) - clock.now()), this.#deadline.signal).then(
      () => this.refresh(),
      () => undefined, // another state, with another deadline or none
    )
  }

  #whose(): { readonly owner: string; readonly account: VaultAccount } {
    return { owner: this.owner, account: this.vaultAccount }
  }

  #user() {
    const state = this.#options.account.value
    return state.kind === 'connected' && state.accountId === this.#current?.accountId ? state.user : null
  }

  #require(): Connected {
    if (this.#current === null) throw new ProblemError({ kind: 'no-account' })
    return this.#current
  }
}
