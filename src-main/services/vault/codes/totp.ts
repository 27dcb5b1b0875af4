import { z } from 'zod'
import { accountUserId } from '../../../domain/base/account-identity.ts'
import type { Clock } from '../../../domain/base/clock.ts'
import {
  defaultOtpParameters,
  lastStepOf,
  nextUsableStep,
  normalizeSecret,
  otpAlgorithm,
  stepAt,
  timesOfStep,
  type OtpParameters,
} from '../../../domain/vault/otp.ts'
import { buildOtpUri, parseOtpUri, type OtpUri } from './otp-uri.ts'
import { ProblemError, invalidInput } from '../../../domain/base/problem.ts'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import type { KeptIn, VaultAccount } from '../../../domain/vault/vault-view.ts'
import { bestEffort } from '../keychain/best-effort.ts'
import { codeOfStep, stepOfCode, type CodeMaker } from './one-time-code.ts'
import { drawQr } from './qr-picture.ts'
import type { PendingTotp, TotpEntries, TotpSecret, TypedCode } from './two-factor-secrets.ts'
import type { SecretList, SecretRead } from './secret-list.ts'
import type { CorrectedClock } from './corrected-clock.ts'
import type { TotpListing } from '../vault-index.ts'

/** The value of `totp/<id>`. Beside the secret it says what it is for, as it was when it was last written. */
export const totpValue = z.object({
  /** As it was given. */
  secret: z.string(),
  /** As it was given; `null` when it was typed, or is too long to be kept. */
  uri: z.string().nullable(),
  lastStep: z.number().int().nullable(),
  algorithm: otpAlgorithm,
  digits: z.number(),
  period: z.number(),
  host: z.string().nullable(),
  user: accountUserId.nullable(),
  methodId: z.number().nullable(),
  state: z.string(),
})
export type TotpValue = z.infer<typeof totpValue>
type OwnPart = Pick<TotpValue, 'secret' | 'uri' | 'lastStep'>

type NewEntry = Pick<TotpListing, 'account' | 'state'> &
  Pick<TotpValue, 'uri'> &
  Partial<Pick<TotpValue, 'methodId' | 'lastStep'>> & { readonly keepIn: KeptIn }

export interface TotpOptions {
  readonly list: SecretList<TotpListing, TotpValue>
  readonly clock: Clock
  readonly correctedClock: Pick<CorrectedClock, 'now' | 'toLocal'>
  readonly randomId: () => string
  /** Told of each secret, so that it can be kept out of the log. */
  readonly remember: (secret: string) => void
}

/** Bytes of its JSON: an entry takes 1,797 of them in all, and its secret and account some 400. */
const longestUri = 1000

/** One-time passwords of this and of other services. */
export class Totp implements TotpEntries {
  readonly #options: TotpOptions
  readonly #list: SecretList<TotpListing, TotpValue>
  /** Codes of one entry are given out one after the other, and waiting for a step holds up nothing else. */
  readonly #sending = new Map<string, SerialQueue>()

  constructor(options: TotpOptions) {
    this.#options = options
    this.#list = options.list
  }

  async addPending({ account, uri, secret, label, keepIn }: PendingTotp) {
    if (normalizeSecret(secret) === null)
      throw new ProblemError({ kind: 'bad-reply', status: 200, path: 'secret', detail: 'no base32 secret' })
    const parsed = parseOtpUri(uri)
    const said = parsed.ok ? parsed.value : { issuer: '', label: '', parameters: defaultOtpParameters }
    return this.#add(
      { ...said, label: label || said.label, secret },
      { uri, account, state: 'pending', keepIn },
    )
  }

  /** An entry of another service, or a copy from another authenticator. */
  async add(entry: OtpUri & { readonly uri: string | null }, keepIn: KeptIn) {
    return this.#add(entry, { uri: entry.uri, account: null, state: 'active', keepIn })
  }

  /** An entry of an export, as it was. */
  async restore(
    entry: OtpUri & Pick<TotpListing, 'account' | 'methodId' | 'state'> & Pick<TotpValue, 'lastStep'>,
    keepIn: KeptIn,
  ) {
    return this.#add(entry, { ...entry, uri: null, keepIn })
  }

  async activate(id: string, methodId: number | null): Promise<void> {
    await this.#list.changeListing(id, (listing) => ({ ...listing, state: 'active', methodId }))
    await this.#rewrite(id)
  }

  async orphan(id: string): Promise<void> {
    await this.#list.changeListing(id, (listing) => ({ ...listing, state: 'orphan' }))
    await this.#rewrite(id)
  }

  async secretOf(id: string): Promise<TotpSecret> {
    const { secret, uri } = await this.#list.read(id)
    this.#options.remember(secret)
    const listing = this.#listing(id)
    const given = uri ?? buildOtpUri({ ...listing, secret: normalizeSecret(secret) ?? secret })
    return { secret, uri: given, picture: drawQr(given) }
  }

  codeFor(
    id: string,
    options: { readonly signal?: AbortSignal; readonly onWait?: (untilMs: number) => void },
  ): Promise<{ readonly code: string; readonly step: number }> {
    const queue = this.#sending.get(id) ?? new SerialQueue()
    this.#sending.set(id, queue)
    return queue.take(() => this.#nextCode(id, options))
  }

  /**
   * A code to be sent to a host now, as {@link Totp.codeFor}. Never one of an account at the rental service: whoever
   * runs the host could use it there.
   *
   * @throws ProblemError secret-missing, keychain-locked, keychain-unavailable, storage-failed
   */
  async codeForHost(id: string, signal: AbortSignal): Promise<string> {
    if (this.#listing(id).account !== null)
      throw new ProblemError({ kind: 'secret-missing', what: 'one-time password' })
    return (await this.codeFor(id, { signal })).code
  }

  async checkTyped(id: string, typed: string): Promise<TypedCode> {
    const maker = makerOf(await this.#list.read(id), this.#listing(id).parameters)
    const { period } = maker.parameters
    const timeMs = this.#options.correctedClock.now()
    const step = stepOfCode(maker, typed.replaceAll(/\s/g, ''), timeMs)
    if (step === null) return { kind: 'wrong' }
    const distance = step - stepAt(timeMs, period)
    return Math.abs(distance) <= 1
      ? { kind: 'right', step }
      : { kind: 'clock-off', bySeconds: distance * period }
  }

  async noteUsed(id: string, step: number): Promise<void> {
    await this.#change(id, (value) => {
      const lastStep = lastStepOf(value.lastStep, step)
      return lastStep === value.lastStep ? null : { ...value, lastStep }
    })
  }

  find(account: VaultAccount, methodId: number): string | null {
    const found = this.#list.listed.value.find(
      (listing) => isSame(listing.account, account) && listing.methodId === methodId,
    )
    return found?.id ?? null
  }

  rename(id: string, names: { readonly issuer: string; readonly label: string }): Promise<void> {
    return this.#list.changeListing(id, (listing) => ({ ...listing, ...names }))
  }

  keep(id: string): Promise<void> {
    return this.#list.keep(id)
  }

  /** @throws ProblemError invalid-input when its method may be at the service and that was not confirmed */
  async remove(id: string, evenIfActive: boolean): Promise<void> {
    const { account, state } = this.#listing(id)
    if (account !== null && state === 'active' && !evenIfActive)
      throw invalidInput('evenIfActive', { code: 'unconfirmed' })
    await this.#list.remove(id)
  }

  /** The code of now, for a person: it may have been used. */
  async codeNow(id: string): Promise<{ readonly code: string; readonly endsAtMs: number }> {
    const { correctedClock } = this.#options
    const { parameters } = this.#listing(id)
    const maker = makerOf(await this.#list.read(id), parameters)
    const step = stepAt(correctedClock.now(), parameters.period)
    const { endMs } = timesOfStep(step, parameters.period)
    return { code: codeOfStep(maker, step), endsAtMs: Math.round(correctedClock.toLocal(endMs)) }
  }

  /** For the codes that are shown: what makes them, and which was used last. */
  async maker(id: string): Promise<SecretRead<CodeMaker & { readonly lastStep: number | null }>> {
    const answer = await this.#list.tryRead(id)
    if (answer.kind !== 'found') return answer
    const listing = this.#list.find(id)
    // Removed while it was read.
    if (listing === null) return { kind: 'missing', detail: id }
    const { secret, lastStep } = answer.secret
    this.#options.remember(secret)
    return { kind: 'found', secret: { ...makerOf(answer.secret, listing.parameters), lastStep } }
  }

  async #add(
    { issuer, label, secret, parameters }: OtpUri,
    { uri, account, state, keepIn, methodId = null, lastStep = null }: NewEntry,
  ): Promise<{ readonly id: string; readonly keptIn: KeptIn }> {
    const { clock, randomId, remember } = this.#options
    remember(secret)
    const id = randomId()
    const listing = { id, issuer, label, parameters, state, account, methodId, addedAtMs: clock.now() }
    const kept = uri !== null && Buffer.byteLength(JSON.stringify(uri)) <= longestUri ? uri : null
    await this.#list.add(listing, valueOf({ secret, uri: kept, lastStep }, listing), keepIn)
    return { id, keptIn: keepIn }
  }

  async #nextCode(
    id: string,
    { signal, onWait }: { readonly signal?: AbortSignal; readonly onWait?: (untilMs: number) => void },
  ): Promise<{ readonly code: string; readonly step: number }> {
    const { clock, correctedClock } = this.#options
    for (;;) {
      signal?.throwIfAborted()
      const { period } = this.#listing(id).parameters
      let step = 0
      let waitMs = 0
      // On the disk before it is given out: a crash in between costs a step, and gives none twice.
      const value = await this.#change(id, (before) => {
        const timeMs = correctedClock.now()
        step = nextUsableStep(timeMs, period, before.lastStep)
        waitMs = timesOfStep(step, period).startMs - timeMs
        return waitMs > 0 ? null : { ...before, lastStep: step }
      })
      if (waitMs <= 0) return { code: codeOfStep(makerOf(value, this.#listing(id).parameters), step), step }
      onWait?.(clock.now() + waitMs)
      await clock.sleep(waitMs, signal)
    }
  }

  #change(id: string, change: (value: TotpValue) => OwnPart | null): Promise<TotpValue> {
    return this.#list.change(id, (value, listing) => {
      const next = change(value)
      return next && { listing, secret: valueOf(next, listing) }
    })
  }

  /** Brings what the value says of itself up to date. The listing counts, so a closed keychain does no harm. */
  async #rewrite(id: string): Promise<void> {
    await bestEffort(async () => {
      await this.#change(id, (value) => value)
    })
  }

  #listing(id: string): TotpListing {
    const listing = this.#list.find(id)
    if (listing === null) throw new ProblemError({ kind: 'secret-missing', what: 'one-time password' })
    return listing
  }
}

/** Whether both are the same account at the same service. */
export function isSame(one: VaultAccount | null, other: VaultAccount): boolean {
  return one !== null && one.serviceAddress === other.serviceAddress && one.userId === other.userId
}

function makerOf({ secret }: Pick<TotpValue, 'secret'>, parameters: OtpParameters): CodeMaker {
  return { secret: normalizeSecret(secret) ?? secret, parameters }
}

function valueOf({ secret, uri, lastStep }: OwnPart, listing: TotpListing): TotpValue {
  const { account, methodId, state, parameters } = listing
  return {
    secret,
    uri,
    lastStep,
    ...parameters,
    host: account?.serviceAddress ?? null,
    user: account?.userId ?? null,
    methodId,
    state,
  }
}
