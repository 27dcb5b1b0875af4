/**
 * Text that may be written to a log. Two nets: secrets that were remembered because Slipway held them, and
 * shapes that are secrets wherever they come from (bearer tokens, private keys, otpauth addresses,
 * fields whose name says so).
 */
export class Redactor {
  readonly #secrets = new Set<string>()
  /** Those that are only under way, with how often. */
  readonly #passing = new Map<string, number>()
  /** All of them, the longest first; `null` when they have changed. */
  #sorted: readonly string[] | null = null

  /** From now on `secret` never passes. Short values are ignored: they would blank ordinary words. */
  remember(secret: string): void {
    if (secret.length < shortestSecret) return
    for (const form of formsOf(secret)) this.#secrets.add(form)
    this.#sorted = null
  }

  /**
   * The same until the answer is called, for a secret that is sent once: this list would be the only place where it
   * is kept.
   */
  hide(secret: string): () => void {
    if (secret.length < shortestSecret) return () => undefined
    this.#passing.set(secret, (this.#passing.get(secret) ?? 0) + 1)
    this.#sorted = null
    return () => {
      this.#sorted = null
      const left = (this.#passing.get(secret) ?? 0) - 1
      if (left > 0) this.#passing.set(secret, left)
      else this.#passing.delete(secret)
    }
  }

  redact(text: string): string {
    const safe = this.#forms.reduce((rest, form) => rest.replaceAll(form, mask), text)
    return shapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), safe)
  }

  /**
   * The same for lines that have nothing to do with each other: each as it would be alone, and as many as before. Of a
   * secret of several lines each long one is a secret.
   */
  redactLines(text: string): string {
    const safe = this.#forms.flatMap(linesOf).reduce((rest, form) => rest.replaceAll(form, mask), text)
    return lineShapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), safe)
  }

  /** What is a part of another secret must not leave the rest of that one behind. */
  get #forms(): readonly string[] {
    this.#sorted ??= [...this.#secrets, ...[...this.#passing.keys()].flatMap(formsOf)].toSorted(
      (one, other) => other.length - one.length,
    )
    return this.#sorted
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

function linesOf(form: string): readonly string[] {
  return form.includes('\n')
    ? form.split(/\r?\n/).filter(({ length }) => length >= shortestSecretLine)
    : [form]
}

const mask = '[redacted]'
const shortestSecret = 6
/** Shorter ones are words and brackets. */
const shortestSecretLine = 16

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

/** The same shapes within a line: no space or quote leads into the next one. */
const lineShapes: typeof shapes = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*/g, mask],
  [/\b(bearer)[^\S\n]+[^\s"',;]+/gi, `$1 ${mask}`],
  [/\botpauth:\/\/[^\s"']+/gi, `otpauth://${mask}`],
  [
    // From the word that says so: a flood is long, and looking ahead from each word is slow.
    /((?:api_?key|secret|password|passphrase|token|session_key)\w{0,64}"?[^\S\n]*[:=][^\S\n]*)("[^"\n]*"|'[^'\n]*'|[^\s,;}]+)/gi,
    `$1${mask}`,
  ],
]
