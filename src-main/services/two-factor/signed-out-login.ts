import { parseServiceAddress } from '../../domain/accounts/account.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import { codeMeanings } from '../../domain/two-factor/code-meanings.ts'
import { lockoutMs, parsePhoneNumber } from '../../domain/two-factor/methods.ts'
import type {
  SentChannel,
  SentCode,
  SignedOutChannel,
  SignedOutLoginState,
} from '../../domain/two-factor/signed-out.ts'
import { createHttp, type HttpOptions } from '../rental-api/http.ts'
import { sendOnce } from '../rental-api/send-once.ts'
import { createSignedOutClient, type SignedOutClient, type SmsTarget } from '../rental-api/two-factor.ts'
import { Challenges, tooSoon } from './flow/challenges.ts'
import { proofOf, type CodeRequest, type TypedCode } from './signed-out-codes.ts'
import { SmsLimits } from './sms-limits.ts'
import { isTwoFactorRefusal, type TwoFactorProblem } from './two-factor-refusal.ts'

export interface SignedOutLoginOptions extends Omit<HttpOptions, 'credentials' | 'onDate'> {
  /** A true time (ms) as this computer's clock will show it. */
  readonly toLocal: (trueMs: number) => number
  /** Told of each secret, so that it can be kept out of the log. */
  readonly remember: (secret: string) => void
  /** Aborted when Slipway, or the account whose page it is, ends. */
  readonly signal: AbortSignal
}

interface Login {
  readonly serviceAddress: string
  readonly client: SignedOutClient
  /** That of the login response, or what a later reply put in its place. */
  secret: string
  readonly challenges: Challenges
  busy: 'sending' | 'verifying' | null
  readonly lostSends: Set<SentChannel>
  /** The service knows of an SMS code that is still good: another is asked for by resend. */
  hasSmsCode: boolean
  lostCode: string | null
  /** Where the service sends no SMS to, of targets without a number. */
  readonly refusedTargets: Set<string>
  /** Ends the request under way with the login. */
  readonly abort: AbortController
}

interface Lock {
  readonly channel: SignedOutChannel
  readonly methodId: number | null
  readonly until: number
  readonly problem: TwoFactorProblem
}

/**
 * A login at the service that waits for its second step, for somebody without a key: codes are sent and checked by the
 * challenge's secret alone (service API 5). The secret is in memory, and goes with the page, also when that is loaded anew.
 * Each request is sent once.
 */
export class SignedOutLogin {
  readonly state = new Latest<SignedOutLoginState>({ kind: 'none' })
  readonly #options: SignedOutLoginOptions
  readonly #smsLimits = new SmsLimits()
  #isSmsDisabled: TwoFactorProblem | null = null
  #locks: readonly Lock[] = []
  #login: Login | null = null
  #pages = 0

  constructor(options: SignedOutLoginOptions) {
    this.#options = options
  }

  /** The state, for a page. The login is forgotten when no page watches it anymore, however it was left. */
  async *watch(signal?: AbortSignal): AsyncGenerator<SignedOutLoginState, void, void> {
    this.#pages += 1
    try {
      yield* this.state.watch(signal)
    } finally {
      this.#pages -= 1
      if (this.#pages === 0) this.end()
    }
  }

  /** Takes a login up; nothing is sent. @throws ProblemError invalid-input (`serviceAddress`) */
  begin(typed: { readonly serviceAddress: string; readonly secret: string }): void {
    const parsed = parseServiceAddress(typed.serviceAddress)
    if (!parsed.ok) throw invalidInput('serviceAddress', { code: parsed.why })
    const { remember, signal } = this.#options
    const { address: serviceAddress } = parsed
    remember(typed.secret)
    const credentials = Promise.resolve({ serviceAddress, bearer: null })
    const http = createHttp({ ...this.#options, credentials: () => credentials })
    this.end()
    this.#locks = []
    this.#isSmsDisabled = null
    const abort = new AbortController()
    const ended = AbortSignal.any([signal, abort.signal])
    this.#login = {
      serviceAddress,
      client: createSignedOutClient({ send: (request) => http.send({ ...request, signal: ended }) }),
      secret: typed.secret,
      challenges: new Challenges(remember),
      busy: null,
      lostSends: new Set(),
      hasSmsCode: false,
      lostCode: null,
      refusedTargets: new Set(),
      abort,
    }
    this.#publish()
  }

  /** Forgets the login and its secret, and ends what is under way. What the service made of that isn't told anymore. */
  end(): void {
    this.#login?.abort.abort()
    this.#login = null
    this.state.set({ kind: 'none' })
  }

  /**
   * Sends a code once.
   *
   * @throws ProblemError invalid-input (`phoneNumber`; `resendAt` when it's too soon; `again` when an earlier one may be
   *   on its way; `login` when it is over or at work), tfa-refused, and what stopped the request
   */
  async send(asked: CodeRequest): Promise<void> {
    const login = this.#require()
    const { channel, methodId } = asked
    const now = this.#options.clock.now()
    const target = channel === 'sms' ? this.#smsTarget(login, asked) : {}
    this.#requireUnlocked(channel, methodId)
    if (this.#resendAt(login, channel) !== null) throw tooSoon()
    if (login.lostSends.has(channel) && !asked.again) throw invalidInput('again', { code: 'unconfirmed' })
    const isResend = channel === 'sms' && (login.hasSmsCode || login.challenges.good('sms', now) !== null)
    await this.#act(login, 'sending', async () => {
      const { secret } = await sendOnce(
        null,
        () => sendBy(login, channel, isResend, target),
        async (error) => {
          login.lostSends.add(channel)
          throw error
        },
      ).catch((error: unknown) => this.#told(login, error, asked))
      login.lostSends.delete(channel)
      login.secret = secret
      login.challenges.adopt(channel, secret, this.#options.clock.now())
    })
  }

  /**
   * Completes the login by a code, which is sent once.
   *
   * @throws ProblemError invalid-input (`code`; `again` when the reply to the same code was lost; `login`), tfa-refused,
   *   and what stopped the request
   */
  async submit(typed: TypedCode): Promise<void> {
    const login = this.#require()
    const { channel, methodId } = typed
    const proof = proofOf(login, typed)
    this.#requireUnlocked(channel, methodId)
    const code = proof.kind === 'backup-code' ? proof.backupCode : proof.code
    if (login.lostCode === code && !typed.again) throw invalidInput('again', { code: 'unconfirmed' })
    await this.#act(login, 'verifying', async () => {
      const reply = await sendOnce(
        null,
        () => login.client.logIn(proof, login.secret),
        async (error) => {
          login.lostCode = code
          throw error
        },
      ).catch((error: unknown) => this.#told(login, error, typed))
      if (this.#login !== login) return
      this.#login = null
      const { name, email, codesLeft, isLegacy } = reply
      // Absent means none, and only right after a backup code (service API 4.7).
      const left = channel === 'backup-code' ? (codesLeft ?? 0) : null
      this.state.set({ kind: 'accepted', name, email, codesLeft: left, isLegacy })
    })
  }

  async #act(login: Login, busy: Login['busy'], work: () => Promise<void>): Promise<void> {
    login.busy = busy
    this.#publish()
    try {
      await work()
    } catch (error) {
      if (!login.abort.signal.aborted) throw error
    } finally {
      login.busy = null
      this.#publish()
    }
  }

  /** Notes what a refusal says of the requests to come, as the table of codes has it. @throws the error */
  #told(login: Login, error: unknown, { channel, methodId, ...asked }: CodeRequest | TypedCode): never {
    if (error instanceof ProblemError && error.problem.kind === 'tfa-refused') {
      const { problem } = error
      const { clock, toLocal } = this.#options
      const { reaction } = codeMeanings[problem.code]
      const now = clock.now()
      const until = problem.lockedUntilSeconds === null ? null : toLocal(problem.lockedUntilSeconds * 1000)
      if (reaction.kind === 'locked' || until !== null)
        this.#locks = [...this.#locks, { channel, methodId, until: until ?? now + lockoutMs, problem }]
      if (reaction.kind === 'cooldown') this.#smsLimits.limit(now)
      if (reaction.kind === 'disable-sms') this.#isSmsDisabled = problem
      if (reaction.kind === 'send-again') login.hasSmsCode = false
      if (reaction.kind === 'send-again' && (channel === 'email' || channel === 'sms'))
        login.challenges.drop(channel)
      if (reaction.kind === 'refuse-number' && 'phoneNumber' in asked) {
        const number = parsePhoneNumber(asked.phoneNumber)
        if (number === null) login.refusedTargets.add(String(methodId))
        else this.#smsLimits.refuse(number)
      }
    }
    if (isTwoFactorRefusal(error, 'tfa_challenge_exists')) {
      login.hasSmsCode = true
      login.lostSends.delete('sms')
    }
    throw error
  }

  #smsTarget({ refusedTargets }: Login, { phoneNumber, methodId }: CodeRequest): SmsTarget {
    if (this.#isSmsDisabled !== null) throw new ProblemError(this.#isSmsDisabled)
    const number = phoneNumber.trim() === '' ? null : parsePhoneNumber(phoneNumber)
    if (number === null && phoneNumber.trim() !== '')
      throw invalidInput('phoneNumber', { code: 'wrong-form' })
    if (number === null ? refusedTargets.has(String(methodId)) : this.#smsLimits.isRefused(number))
      throw invalidInput('phoneNumber', { code: 'number-refused' })
    return { ...(methodId !== null && { methodId }), ...(number !== null && { phoneNumber: number }) }
  }

  /** A method that the service has locked is not tried before its time. */
  #requireUnlocked(channel: SignedOutChannel, methodId: number | null): void {
    const now = this.#options.clock.now()
    const lock = this.#locks.find(
      (each) => each.channel === channel && each.methodId === methodId && each.until > now,
    )
    if (lock !== undefined) throw new ProblemError(lock.problem)
  }

  #resendAt({ challenges }: Login, channel: SentChannel): number | null {
    const now = this.#options.clock.now()
    const limitedUntil = channel === 'sms' ? this.#smsLimits.until(now) : null
    return Math.max(challenges.resendAt(channel, now) ?? 0, limitedUntil ?? 0) || null
  }

  #require(): Login {
    const login = this.#login
    if (login === null) throw invalidInput('login', { code: 'ended' })
    if (login.busy !== null) throw invalidInput('login', { code: 'busy' })
    return login
  }

  #publish(): void {
    const login = this.#login
    if (login === null) return
    const sentBy = (channel: SentChannel): SentCode => ({
      sent: login.challenges.shown(channel),
      resendAt: this.#resendAt(login, channel),
      isLost: login.lostSends.has(channel),
    })
    const { serviceAddress, busy, lostCode } = login
    const [email, sms] = [sentBy('email'), sentBy('sms')]
    this.state.set({ kind: 'waiting', serviceAddress, busy, email, sms, isCodeLost: lostCode !== null })
  }
}

/** A login of somebody without a key; it is forgotten with the account whose page it is on, or with Slipway. */
export function openSignedOutLogin(
  from: Omit<SignedOutLoginOptions, 'toLocal' | 'signal'> & {
    readonly vault: { readonly correctedClock: Pick<SignedOutLoginOptions, 'toLocal'> }
  },
  lifetime: Lifetime,
): SignedOutLogin {
  const { toLocal } = from.vault.correctedClock
  const login = new SignedOutLogin({ ...from, toLocal, signal: lifetime.signal })
  lifetime.onEnd(() => login.end())
  return login
}

function sendBy({ client, secret }: Login, channel: SentChannel, isResend: boolean, target: SmsTarget) {
  if (channel === 'email') return client.sendEmail(secret)
  return isResend ? client.resendSms(target, secret) : client.sendSms(target, secret)
}
