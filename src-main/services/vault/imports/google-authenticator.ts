import { defaultOtpParameters } from '../../../domain/vault/otp.ts'
import { longestAddress, readFields, type StatedOtp } from '../codes/otp-uri.ts'
import { decodeBase64, encodeBase32 } from './bytes.ts'
import type { ImportContent } from './import-content.ts'
import { readProtobuf, type ProtobufField } from './protobuf.ts'

/** One QR code of an export: a part of a batch. */
interface Batch {
  readonly size: number
  readonly parts: Set<number>
}

/** More QR codes than an export has. */
const mostParts = 100

/** Reads links of Google Authenticator's export, of which each is a part of a batch, and tells the parts that lack. */
export class MigrationLinks {
  readonly #content: ImportContent
  readonly #batches = new Map<number, Batch>()

  constructor(content: ImportContent) {
    this.#content = content
  }

  /** @returns whether it is such a link @throws ProblemError invalid-input, as `ImportContent.add` does */
  read(link: string, line: number): boolean {
    const match = /^otpauth-migration:\/\/offline\/?\?(.*)$/i.exec(link)
    if (match === null) return false
    const fields = link.length > longestAddress ? null : readFields(match[1] ?? '')
    // As in any query a plus may stand for a space, and base64 has no spaces.
    const data = fields?.get('data')?.replaceAll(' ', '+') ?? ''
    const payload = readProtobuf(decodeBase64(data) ?? Buffer.of(0))
    const messages = payload?.filter(({ number }) => number === 1).map(statedIn)
    if (!payload || !messages || messages.includes(null) || payload.length === 0)
      this.#content.leaveOut('unreadable', { name: '', line })
    else {
      for (const stated of messages) if (stated !== null) this.#content.add(stated, { line })
      this.#note({ size: numberIn(payload, 3), index: numberIn(payload, 4), id: numberIn(payload, 5) })
    }
    return true
  }

  /** After the last link. */
  end(): void {
    for (const { size, parts } of this.#batches.values())
      for (let index = 0; index < size; index += 1)
        if (!parts.has(index)) this.#content.miss({ part: index + 1, of: size })
  }

  #note({ size, index, id }: { readonly size: number; readonly index: number; readonly id: number }): void {
    if (size < 1 || size > mostParts || index < 0 || index >= size) return
    // Only so many can be told of.
    if (this.#batches.size === mostBatches && !this.#batches.has(id)) return
    const batch = this.#batches.get(id) ?? { size, parts: new Set() }
    this.#batches.set(id, batch)
    batch.parts.add(index)
  }
}

const mostBatches = 10

/** `OtpParameters`, by the numbers of its fields. `null`: no message. */
function statedIn(field: ProtobufField): StatedOtp | null {
  const fields = field.kind === 'bytes' ? readProtobuf(field.value) : null
  if (fields === null) return null
  const issuer = textIn(fields, 3)
  const name = textIn(fields, 2)
  const colon = name.indexOf(':')
  return {
    // Names have their issuer before them, as those of otpauth URIs.
    issuer: issuer || name.slice(0, Math.max(0, colon)),
    label: (colon < 0 || (issuer !== '' && name.slice(0, colon) !== issuer)
      ? name
      : name.slice(colon + 1)
    ).trim(),
    kind: kinds[numberIn(fields, 6)] ?? 'unknown',
    secret: encodeBase32(bytesIn(fields, 1)),
    algorithm: algorithms[numberIn(fields, 4)] ?? 'unknown',
    digits: digits[numberIn(fields, 5)] ?? Number.NaN,
    // Google Authenticator knows no other.
    period: defaultOtpParameters.period,
  }
}

/** What its enumerations say; the first of each is “unspecified”. */
const kinds = ['totp', 'hotp', 'totp']
const algorithms = [defaultOtpParameters.algorithm, 'sha1', 'sha256', 'sha512', 'md5']
const digits = [defaultOtpParameters.digits, 6, 8]

/** The last one of a number counts. */
function bytesIn(fields: readonly ProtobufField[], number: number): Buffer {
  const field = fields.findLast((other) => other.number === number)
  return field?.kind === 'bytes' ? field.value : Buffer.alloc(0)
}

function textIn(fields: readonly ProtobufField[], number: number): string {
  return bytesIn(fields, number).toString('utf8')
}

/** 0 when it's missing: the format leaves out what has that value. */
function numberIn(fields: readonly ProtobufField[], number: number): number {
  const field = fields.findLast((other) => other.number === number)
  return field?.kind === 'varint' ? field.value : 0
}
