import type { InputFault, PlainFault } from '../../../domain/base/input-fault.ts'
import {
  defaultOtpParameters,
  normalizeSecret,
  otpAlgorithm,
  otpParameters,
  type OtpObstacle,
  type OtpParameters,
} from '../../../domain/vault/otp.ts'

/** What an otpauth URI says (the key URI format that authenticators share). */
export interface OtpUri {
  readonly issuer: string
  readonly label: string
  /** Base32. */
  readonly secret: string
  readonly parameters: OtpParameters
}

export type ParsedOtpUri =
  { readonly ok: true; readonly value: OtpUri } | { readonly ok: false; readonly fault: InputFault }

/** What a URI, or a file of another program, says of a one-time password, whether codes can be made of it or not. */
export interface StatedOtp {
  readonly issuer: string
  readonly label: string
  /** `totp`, `hotp`, or another name, in small letters. */
  readonly kind: string
  readonly secret: string
  readonly algorithm: string
  readonly digits: number
  readonly period: number
}

export type CheckedOtp =
  { readonly ok: true; readonly value: OtpUri } | { readonly ok: false; readonly obstacle: OtpObstacle }

/** No QR code holds more, and the fields of a line without end would take seconds. */
export const longestAddress = 4096

const longestName = 200
/** Longer than any secret with what people put between. */
const longestTyped = 1000

/** An otpauth URI as services print it into QR codes. Its words are somebody else's. */
export function parseOtpUri(text: string): ParsedOtpUri {
  const stated = readOtpUri(text)
  if (stated === null) return refuse(/^\s*otpauth-migration:/i.test(text) ? 'otp-export' : 'wrong-form')
  const checked = checkOtp(stated)
  if (checked.ok) return checked
  switch (checked.obstacle) {
    case 'counter-based':
      return refuse('counter-based')
    case 'broken-secret':
      return refuse('not-otp-key')
    default:
      return refuse('unsupported-otp')
  }
}

/** What an otpauth URI says; `null` when it is none. */
export function readOtpUri(text: string): StatedOtp | null {
  const uri = text.trim()
  if (uri.length > longestAddress) return null
  const match = /^otpauth:\/\/([^/?#]*)\/([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i.exec(uri)
  if (match === null) return null
  const [, kind = '', path = '', query = ''] = match
  const fields = readFields(query)
  const whole = (name: string, fallback: number): number => {
    const digits = fields.get(name) ?? ''
    return digits === '' ? fallback : /^\d{1,4}$/.test(digits) ? Number(digits) : Number.NaN
  }
  const name = decode(path, false)
  const colon = name.indexOf(':')
  const prefix = colon < 0 ? '' : name.slice(0, colon)
  return {
    // KeePassXC and others write Steam's codes so: the kind is that of the address.
    kind: fields.get('encoder')?.toLowerCase() === 'steam' ? 'steam' : kind.toLowerCase(),
    issuer: fields.get('issuer') || prefix,
    label: colon < 0 ? name : name.slice(colon + 1),
    secret: fields.get('secret') ?? '',
    algorithm: fields.get('algorithm') || defaultOtpParameters.algorithm,
    digits: whole('digits', defaultOtpParameters.digits),
    period: whole('period', defaultOtpParameters.period),
  }
}

const kindObstacles = new Map<string, OtpObstacle>([
  ['hotp', 'counter-based'],
  ['steam', 'steam'],
  ['yandex', 'yandex'],
  ['yaotp', 'yandex'],
  ['motp', 'motp'],
])

/** Whether codes can be made of it. Names are cut, and what cannot be shown in one line is taken out of them. */
export function checkOtp(stated: StatedOtp): CheckedOtp {
  const { kind } = stated
  if (kind !== 'totp') return { ok: false, obstacle: kindObstacles.get(kind) ?? 'other-kind' }
  const secret = stated.secret.length > longestTyped ? null : normalizeSecret(stated.secret)
  if (secret === null) return { ok: false, obstacle: 'broken-secret' }
  const name = stated.algorithm.toLowerCase().replace(/^(?:hmac)?-?sha-?/, 'sha')
  const algorithm = otpAlgorithm.safeParse(name)
  if (!algorithm.success) return { ok: false, obstacle: name === 'md5' ? 'md5' : 'other-algorithm' }
  const digits = otpParameters.shape.digits.safeParse(stated.digits)
  if (!digits.success) return { ok: false, obstacle: 'digits' }
  const period = otpParameters.shape.period.safeParse(stated.period)
  if (!period.success) return { ok: false, obstacle: 'period' }
  const parameters = { algorithm: algorithm.data, digits: digits.data, period: period.data }
  return {
    ok: true,
    value: { issuer: oneLine(stated.issuer), label: oneLine(stated.label), secret, parameters },
  }
}

/** The URI that other authenticators read. What is everybody's default is left out, for the simplest of them. */
export function buildOtpUri({ issuer, label, secret, parameters }: OtpUri): string {
  // A colon in a name would end the issuer.
  const [before, after] = [issuer, label].map((part) => encodeURIComponent(part.replaceAll(':', ' ')))
  const path = issuer === '' ? after : `${before}:${after}`
  const { algorithm, digits, period } = parameters
  const fields = [
    `secret=${secret}`,
    issuer === '' ? null : `issuer=${encodeURIComponent(issuer)}`,
    algorithm === defaultOtpParameters.algorithm ? null : `algorithm=${algorithm.toUpperCase()}`,
    digits === defaultOtpParameters.digits ? null : `digits=${digits}`,
    period === defaultOtpParameters.period ? null : `period=${period}`,
  ]
  return `otpauth://totp/${path}?${fields.filter((field) => field !== null).join('&')}`
}

function refuse(code: PlainFault): ParsedOtpUri {
  return { ok: false, fault: { code } }
}

/** The fields of a query, by their names in small letters; the first of each name counts. */
export function readFields(query: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    if (equals < 0) continue
    const name = part.slice(0, equals).toLowerCase()
    if (!fields.has(name)) fields.set(name, decode(part.slice(equals + 1), true))
  }
  return fields
}

/** Percent-encoding that is broken is taken as it stands: it is only a name then, or no base32. */
function decode(text: string, plusIsSpace: boolean): string {
  const spaced = plusIsSpace ? text.replaceAll('+', ' ') : text
  try {
    return decodeURIComponent(spaced)
  } catch (error) {
    if (error instanceof URIError) return spaced
    throw error
  }
}

/** A name of somebody else's, fit to be shown: cut, and in one line. */
export function oneLine(text: string): string {
  const cut = text
    .slice(0, 10 * longestName)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, longestName)
  // The cut may have gone through a character of two parts.
  return cut.replaceAll(/\p{Cs}/gu, '').trim()
}
