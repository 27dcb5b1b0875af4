/**
 * Text that may be written to a log. Two nets: secrets that were remembered because Slipway held them, and
 * shapes that are secrets wherever they come from (bearer tokens, private keys, otpauth addresses,
 * fields whose name says so).
 */
export class Redactor {
  readonly #secrets = new Set<string>()

  /** From now on `secret` never passes. Short values are ignored: they would blank ordinary words. */
  remember(secret: string): void {
    if (secret.length >= 6) this.#secrets.add(secret)
  }

  redact(text: string): string {
    let safe = text
    for (const secret of this.#secrets) safe = safe.replaceAll(secret, mask)
    return shapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), safe)
  }
}

const mask = '[redacted]'

const shapes: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, mask],
  [/\b(bearer)\s+[^\s"',;]+/gi, `$1 ${mask}`],
  [/\botpauth:\/\/[^\s"']+/gi, `otpauth://${mask}`],
  [
    /("?\b(?:\w*(?:api_?key|secret|password|passphrase|token|session_key)\w*)"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;}]+)/gi,
    `$1${mask}`,
  ],
]
