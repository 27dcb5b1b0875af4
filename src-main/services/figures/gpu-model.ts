/**
 * Whether two names may be of one model: one as the service lists it (`RTX 4090`, `RTX 4070S Ti`, `H100 SXM`), one as its
 * tool says it (`NVIDIA GeForce RTX 4090`, `NVIDIA GeForce RTX 4070 Ti SUPER`, `NVIDIA H100 80GB HBM3`). `null` where one of
 * them has no number that tells models apart.
 */
export function isSameModel(offered: string, found: string): boolean | null {
  const [one, other] = [partsOf(offered), partsOf(found)]
  if (one.numbers.size === 0 || other.numbers.size === 0) return null
  if (!shareAny(one.numbers, other.numbers)) return false
  // A name that stands for several models says of none of them what else it's called.
  if (one.numbers.size > 1 || other.numbers.size > 1) return true
  if (one.forms.size > 0 && other.forms.size > 0 && !shareAny(one.forms, other.forms)) return false
  return one.words.size === other.words.size && [...one.words].every((word) => other.words.has(word))
}

interface Parts {
  /** `4090`, `a100`. */
  readonly numbers: ReadonlySet<string>
  /** What makes another model of the same number. */
  readonly words: ReadonlySet<string>
  /** How it's built in; tools don't always say. */
  readonly forms: ReadonlySet<string>
}

const tellingWords = new Set(['ti', 'super', 'ada', 'd', 'laptop', 'mobile', 'xt', 'xtx', 'gre', 'pro'])
const forms = new Set(['sxm', 'pcie', 'nvl'])
/** Longer than any name; it's a stranger's. */
const longestName = 200

function partsOf(name: string): Parts {
  const tokens = name
    .slice(0, longestName)
    .toLowerCase()
    // `4070s`, `5090d`, `6000ada`, `3080ti`: what is written together.
    .replaceAll(/\b(\d{4})(s|d|ti|ada|xtx|xt)\b/g, (_, digits: string, word: string) =>
      word === 's' ? `${digits} super` : `${digits} ${word}`,
    )
    // Elsewhere an S alone is no SUPER: `RTX PRO 6000 S` is made for servers.
    .replaceAll(/\b(gtx \d{4}) s\b/g, '$1 super')
    .replaceAll(/\binstinct(?=mi\d)/g, '')
    .replaceAll(/\b(sxm|pcie)\d\b/g, '$1')
    .split(/[^a-z0-9]+/)
  return {
    numbers: new Set(tokens.filter(isModelNumber)),
    words: new Set(tokens.filter((token) => tellingWords.has(token))),
    forms: new Set(tokens.filter((token) => forms.has(token))),
  }
}

/** No size of a memory, no kind of one, and no number of a chip that isn't the model's (`0x744c`, `gfx1100`). */
function isModelNumber(token: string): boolean {
  return /\d/.test(token) && !/^(\d+gb?|hbm\w+|g?ddr\w+|0x\w+|gfx\w+)$/.test(token)
}

function shareAny(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((value) => other.has(value))
}
