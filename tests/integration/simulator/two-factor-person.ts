import { generateSync } from 'otplib'
import { expect } from 'vitest'
import { z } from 'zod'
import type { OpenAccountOptions } from '../../simulator/open-account.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { FixtureName } from '../../simulator/accounts.ts'
import type { TwoFactorHeld } from '../../simulator/two-factor/furnish.ts'

export interface TwoFactorAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** Somebody with an account, who uses its 2FA; paths are those below `/api/v0/tfa/`. */
export interface Person {
  readonly key: string
  /** What the account began with. */
  readonly twoFactor: TwoFactorHeld
  /** A request with the API key, or with another Bearer value. */
  ask(method: string, path: string, body?: unknown, bearer?: string): Promise<TwoFactorAnswer>
  /** A request without any Authorization header. */
  askLoggedOut(method: string, path: string, body?: unknown): Promise<TwoFactorAnswer>
  user(): Promise<Readonly<Record<string, unknown>>>
  status(): Promise<Status>
  /** The last code that was sent to the person. */
  lastCode(channel: 'sms' | 'email'): string
}

const anObject = z.record(z.string(), z.unknown())
const statusReply = z.object({
  tfa_enabled: z.boolean(),
  methods: z.array(
    z.looseObject({ id: z.number(), method: z.enum(['sms', 'totp']), is_primary: z.boolean() }),
  ),
  backup_codes_remaining: z.number(),
  new_method_authorized: z.boolean(),
})
type Status = z.output<typeof statusReply>

/** Makes an account of its own for whoever changes something. */
export function createPerson(
  simulator: Simulator,
  fixture: FixtureName = 'default',
  options: OpenAccountOptions = {},
): Person {
  const { key, twoFactor } = simulator.account(fixture, options)
  const sentFrom = simulator.twoFactor.outbox().length
  const request = async (
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<TwoFactorAnswer> => {
    const reply = await fetch(`${simulator.baseUrl}/api/v0/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, headers: reply.headers, body: anObject.parse(await reply.json()) }
  }
  const withKey = { Authorization: `Bearer ${key}` }
  return {
    key,
    twoFactor,
    ask: (method, path, body, bearer = key) =>
      request(method, `tfa/${path}`, body, { Authorization: `Bearer ${bearer}` }),
    askLoggedOut: (method, path, body) => request(method, `tfa/${path}`, body, {}),
    user: async () => (await request('GET', 'users/current/', undefined, withKey)).body,
    status: async () => statusReply.parse((await request('GET', 'tfa/status/', undefined, withKey)).body),
    lastCode(channel) {
      const entry = simulator.twoFactor
        .outbox()
        .slice(sentFrom)
        .findLast((each) => each.channel === channel)
      if (entry === undefined) throw new Error(`no code was sent by ${channel}`)
      return entry.code
    },
  }
}

const secretReply = z.object({ secret: z.string() })
/** The `secret` of a reply; fails if the request was refused. */
export const secretOf = ({ body }: TwoFactorAnswer): string => secretReply.parse(body).secret

const backupCodesReply = z.object({ backup_codes: z.array(z.string()) })
export const backupCodesOf = ({ body }: TwoFactorAnswer): readonly string[] =>
  backupCodesReply.parse(body).backup_codes

/** What an authenticator shows now, or some steps of 30 seconds away from now. */
export function totp(simulator: Simulator, secret: string, stepsAway = 0): string {
  return generateSync({ secret, epoch: Math.floor(simulator.clock.now() / 1000) + 30 * stepsAway })
}

/** Moves on to the middle of a step that is neither the last one used nor the one after it. */
export async function moveToFreshStep(simulator: Simulator): Promise<void> {
  await simulator.clock.advance(75 - ((simulator.clock.now() / 1000) % 30))
}

/** A fresh code of the TOTP method that the person began with, after moving on to a step of which none was used. */
export async function freshTotp(simulator: Simulator, { twoFactor }: Person): Promise<string> {
  await moveToFreshStep(simulator)
  return totp(simulator, heldTotp(twoFactor))
}

const heldTotp = ({ methods }: TwoFactorHeld): string =>
  methods.find((each) => each.method === 'totp')?.secret ?? ''

/** Another code of the same shape. */
export const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000')

/** Authorizes a first method by email. */
export async function authorizeByEmail(person: Person): Promise<void> {
  const secret = secretOf(await person.ask('POST', 'authorize-new-method/', { tfa_method: 'email' }))
  const code = person.lastCode('email')
  expect((await person.ask('PUT', 'authorize-new-method/', { code, secret })).status).toBe(200)
}

/** Enrolls TOTP within the window; answers with the reply and the secret. */
export async function confirmTotp(
  simulator: Simulator,
  person: Person,
  further: object = {},
): Promise<{ readonly answer: TwoFactorAnswer; readonly secret: string }> {
  const secret = secretOf(await person.ask('POST', 'totp-setup/'))
  const body = { tfa_method: 'totp', code: totp(simulator, secret), secret, ...further }
  return { answer: await person.ask('POST', 'confirm-new/', body), secret }
}

/** Sends a code to the number, and confirms it within the window. */
export async function confirmSms(
  person: Person,
  number: string,
  further: object = {},
): Promise<TwoFactorAnswer> {
  const secret = secretOf(await person.ask('POST', 'sms/', { phone_number: number }))
  const body = { tfa_method: 'sms', code: person.lastCode('sms'), secret, phone_number: number, ...further }
  return await person.ask('POST', 'confirm-new/', body)
}

/** Somebody who began with TOTP, and with SMS as well. */
export const createTotpPerson = (simulator: Simulator): Person =>
  createPerson(simulator, 'default', { twoFactorMethods: [{ method: 'totp' }] })
export const createTotpSmsPerson = (simulator: Simulator): Person =>
  createPerson(simulator, 'default', {
    twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: OWN_NUMBER }],
  })
/** The number of that SMS method. */
export const OWN_NUMBER = '+12025550148'
