/** The API's own replies are some six levels deep; what walks a reply, to mask, copy or show it, calls itself for each. */
export const deepestReply = 64
/** Ten thousand offers have some 600,000 values; each takes main many times its bytes. */
export const mostReplyValues = 5_000_000
/** A readme may have megabytes. What is longer would be copied from main to the window with each list. */
export const longestReplyTextBytes = 16 * 1024 * 1024

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, closeList, openRecord, closeRecord] = [0x5b, 0x5d, 0x7b, 0x7d]

export type ReplyJson =
  | { readonly ok: true; readonly value: unknown }
  /** `detail` says what is wrong with it, as `bad-reply` has it. */
  | { readonly ok: false; readonly detail: string }

/** A reply as JSON within the bounds above, which are looked at before anything is made of it. */
export function readJson(bytes: Buffer): ReplyJson {
  const excess = excessOf(bytes)
  if (excess !== null) return { ok: false, detail: excess }
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) }
  } catch {
    return { ok: false, detail: 'no valid JSON' }
  }
}

/** Which bound is exceeded; `null` for none. In UTF-8 these signs are in no other character. */
function excessOf(bytes: Buffer): string | null {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) {
      const begin = at
      at += 1
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
      if (at - begin > longestReplyTextBytes) return 'a text that is far too long'
    } else if (byte === openList || byte === openRecord) {
      depth += 1
      values += 1
    } else if (byte === closeList || byte === closeRecord) depth -= 1
    else if (byte === comma) values += 1
    if (depth > deepestReply) return 'nested far too deeply'
    if (values > mostReplyValues) return 'far too many values'
  }
  return null
}
