import type { InputFault, PlainFault } from '../../../domain/base/input-fault.ts'
import {
  defaultOtpParameters,
  normalizeSecret,
  otpAlgorithm,
  otpParameters,
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

const longestName = 200

/**
 * An otpauth URI as services print it into QR codes. Its words are somebody else's: names are cut, and what
 * cannot be shown in one line is taken out of them.
 */
export function parseOtpUri(text: string): ParsedOtpUri {
  const match = /^otpauth:\/\/([^/?#]*)\/([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i.exec(text.trim())
  if (match === null) return refuse('wrong-form')
  const [, type = '', path = '', query = ''] = match
  if (type.toLowerCase() === 'hotp') return refuse('counter-based')
  if (type.toLowerCase() !== 'totp') return refuse('unsupported-otp')
  const fields = readFields(query)
  const secret = normalizeSecret(fields.get('secret') ?? '')
  if (secret === null) return refuse('not-otp-key')
  const parameters = readParameters(fields)
  if (parameters === null) return refuse('unsupported-otp')
  const name = decode(path, false)
  const colon = name.indexOf(':')
  const prefix = colon < 0 ? '' : name.slice(0, colon)
  return {
    ok: true,
    value: {
      issuer: oneLine(fields.get('issuer') || prefix),
      label: oneLine(colon < 0 ? name : name.slice(colon + 1)),
      secret,
      parameters,
    },
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

/** The first of each name counts. */
function readFields(query: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    if (equals < 0) continue
    const name = part.slice(0, equals).toLowerCase()
    if (!fields.has(name)) fields.set(name, decode(part.slice(equals + 1), true))
  }
  return fields
}

function readParameters(fields: ReadonlyMap<string, string>): OtpParameters | null {
  const whole = (name: string, fallback: number): number => {
    const text = fields.get(name) ?? ''
    return text === '' ? fallback : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  }
  const algorithm = otpAlgorithm.safeParse(
    (fields.get('algorithm') || defaultOtpParameters.algorithm)
      .toLowerCase()
      .replace(/^(?:hmac)?-?sha-?/, 'sha'),
  )
  const parsed = otpParameters.safeParse({
    algorithm: algorithm.data,
    digits: whole('digits', defaultOtpParameters.digits),
    period: whole('period', defaultOtpParameters.period),
  })
  return parsed.success ? parsed.data : null
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

function oneLine(text: string): string {
  const cut = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, longestName)
  // The cut may have gone through a character of two parts.
  return cut.replaceAll(/\p{Cs}/gu, '').trim()
}
