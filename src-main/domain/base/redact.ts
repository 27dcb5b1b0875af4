/**
 * Text that may be written to a log. Two nets: secrets that were remembered because Slipway held them, and
 * shapes that are secrets wherever they come from (bearer tokens, private keys, otpauth addresses,
 * fields whose name says so).
 */
export class Redactor {
  readonly #secrets = new Set<string>()
  /** Those that are only under way, with how often. */
  readonly #passing = new Map<string, number>()

  /** From now on `secret` never passes. Short values are ignored: they would blank ordinary words. */
  remember(secret: string): void {
    if (secret.length >= shortestSecret) for (const form of formsOf(secret)) this.#secrets.add(form)
  }

  /**
   * The same until the answer is called, for a secret that is sent once: this list would be the only place where it
   * is kept.
   */
  hide(secret: string): () => void {
    if (secret.length < shortestSecret) return () => undefined
    this.#passing.set(secret, (this.#passing.get(secret) ?? 0) + 1)
    return () => {
      const left = (this.#passing.get(secret) ?? 0) - 1
      if (left > 0) this.#passing.set(secret, left)
      else this.#passing.delete(secret)
    }
  }

  redact(text: string): string {
    let safe = text
    // The longest first: what is a part of another secret must not leave the rest of that one behind.
    const forms = [...this.#secrets, ...[...this.#passing.keys()].flatMap(formsOf)]
    for (const form of forms.toSorted((one, other) => other.length - one.length))
      safe = safe.replaceAll(form, mask)
    return shapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), safe)
  }
}

/** A secret as it stands, and as it stands in JSON, in an error that is inspected, and in an address. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inQuotes = inJson.replaceAll('\\"', '"')
  return [
    ...new Set([
      secret,
      inJson,
      inQuotes,
      inQuotes.replaceAll("'", "\\'"),
      ...(secret.isWellFormed() ? [encodeURIComponent(secret)] : []),
    ]),
  ]
}

const mask = '[redacted]'
const shortestSecret = 6

const shapes: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, mask],
  [/\b(bearer)\s+[^\s"',;]+/gi, `$1 ${mask}`],
  [/\botpauth:\/\/[^\s"']+/gi, `otpauth://${mask}`],
  [
    // A word is looked at once, from its beginning: a server's text may be one word of megabytes.
    /\b(?=\w*?(?:api_?key|secret|password|passphrase|token|session_key))(\w+"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;}]+)/gi,
    `$1${mask}`,
  ],
]
