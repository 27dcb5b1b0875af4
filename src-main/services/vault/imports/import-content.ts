import { z } from 'zod'
import { invalidInput } from '../../../domain/base/problem.ts'
import { leftOutReason, type LeftOutReason } from '../../../domain/vault/vault-import.ts'
import { checkOtp, oneLine, type OtpUri, type StatedOtp } from '../codes/otp-uri.ts'

/** A one-time password of a file, whose codes Slipway can make. */
export interface ImportedOtp extends OtpUri {
  /** As it stood in the file, if it was one. */
  readonly uri: string | null
}

/** Something that is not added, by its name or, if it has none, its line. */
export interface LeftOut {
  readonly name: string
  /** From 1; `null` in a file that isn't read line by line. */
  readonly line: number | null
}

export interface LeftOutGroup {
  readonly why: LeftOutReason
  readonly count: number
  /** The first of them. */
  readonly entries: readonly LeftOut[]
}

/** A QR code of an export that takes several, and that was not among them. */
export interface MissingPart {
  /** From 1. */
  readonly part: number
  readonly of: number
}

/**
 * More than anybody has of them. Each one is a write of the keychain and of its index, which nobody can stop halfway.
 */
const mostImported = 1000
/** More names than this nobody reads in a report. */
const mostNamed = 20

/** What a file holds, as its reader finds it. */
export class ImportContent {
  readonly #otps: ImportedOtp[] = []
  readonly #leftOut = new Map<LeftOutReason, { count: number; readonly entries: LeftOut[] }>()
  readonly #missingParts: MissingPart[] = []

  get otps(): readonly ImportedOtp[] {
    return this.#otps
  }

  /** In the order of the reasons. */
  get leftOut(): readonly LeftOutGroup[] {
    return leftOutReason.options.flatMap((why) => {
      const group = this.#leftOut.get(why)
      return group ? [{ why, ...group }] : []
    })
  }

  get missingParts(): readonly MissingPart[] {
    return this.#missingParts
  }

  /** Takes it if codes can be made of it, and leaves it out by its name otherwise. @throws ProblemError invalid-input */
  add(
    stated: StatedOtp,
    { uri = null, line = null }: { readonly uri?: string | null; readonly line?: number | null } = {},
  ): void {
    const checked = checkOtp(stated)
    if (!checked.ok) this.leaveOut(checked.obstacle, { name: nameOfOtp(stated), line })
    else if (this.#otps.length === mostImported)
      throw invalidInput('text', { code: 'too-many', most: mostImported })
    else this.#otps.push({ ...checked.value, uri })
  }

  leaveOut(
    why: LeftOutReason,
    { name, line = null }: { readonly name: string; readonly line?: number | null },
  ): void {
    const group = this.#leftOut.get(why) ?? { count: 0, entries: [] }
    this.#leftOut.set(why, group)
    group.count += 1
    // Most of a password manager's items have no code, and nobody misses one there.
    if (why !== 'no-code' && group.entries.length < mostNamed)
      group.entries.push({ name: oneLine(name), line })
  }

  miss(part: MissingPart): void {
    this.#missingParts.push(part)
  }
}

/** `GitHub: ada`; empty when it has no name. */
export function nameOfOtp({ issuer, label }: Pick<OtpUri, 'issuer' | 'label'>): string {
  return [oneLine(issuer), oneLine(label)].filter((part) => part !== '').join(': ')
}

/** A name in a file; what is no text, or is missing, says nothing. */
export const statedText = z.string().catch('')

/** A word of a format, `fallback` when it's missing; what is no text is no word of it. */
export function statedWord(fallback: string) {
  return orMissing(fallback, (value) => (typeof value === 'string' ? value : 'unknown'))
}

/** A number of a file, `fallback` when it's missing; what is no number fits nowhere. */
export function statedNumber(fallback: number) {
  return orMissing(fallback, (value) => (typeof value === 'number' ? value : Number.NaN))
}

function orMissing<Value>(fallback: Value, read: (value: unknown) => Value) {
  return z
    .unknown()
    .optional()
    .transform((value) => (value === undefined || value === null ? fallback : read(value)))
}
