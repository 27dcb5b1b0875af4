/** Text that a shell, or the clipboard, wants to put somewhere: made harmless here. */

/** The longest title that is shown, in characters as a reader counts them. */
export const titleLength = 80

// Controls, format characters (bidirectional marks and overrides, zero width, tags), private use, unassigned,
// lone surrogates, line and paragraph separators: of no use in a title, of much in a disguise.
const unseen = /[\p{C}\p{Zl}\p{Zp}]+/gu
/** More marks on a letter than any script has: they would grow over what stands above and below. */
const stackedMarks = /(\p{M}{3})\p{M}+/gu

/** A title from OSC 0 or 2 as it may be shown; `null` when nothing of it is left. */
export function cleanTitle(raw: string): string | null {
  const text = raw
    .slice(0, 4096)
    .replace(unseen, ' ')
    .replace(stackedMarks, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  if (text === '') return null
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return letters.length <= titleLength ? text : `${letters.slice(0, titleLength - 1).join('')}…`
}

/** What a shell marks as a command's end (OSC 133;D), with its exit code where that is one; `null` for another mark. */
export function commandEndOf(mark: string): { readonly code: number | null } | null {
  const found = /^D(?:;(\d{1,3})(?=;|$))?(?:;|$)/.exec(mark.slice(0, 100))
  if (found === null) return null
  const code = found[1] === undefined ? null : Number(found[1])
  return { code: code === null || code > 255 ? null : code }
}

const controlsButTextual = /(?![\t\n\r])\p{Cc}/gu

/**
 * Clipboard text without control characters: with an escape character it could end a bracketed paste early,
 * and what follows would run as if it were typed.
 */
export function cleanPaste(raw: string): string {
  return raw.replace(controlsButTextual, '')
}

/** A saved command without the line ends after it: whether Enter follows is decided elsewhere. */
export function commandText(saved: string): string {
  let end = saved.length
  while (end > 0 && '\r\n'.includes(saved.charAt(end - 1))) end -= 1
  return saved.slice(0, end)
}

/** Whether pasting it could run a command at once. */
export function hasSeveralLines(text: string): boolean {
  return /[\r\n]/u.test(text)
}

/** Lines as a reader counts them: a newline at the end begins no further one. */
export function countLines(text: string): number {
  return text.replace(/(\r\n|\r|\n)$/u, '').split(/\r\n|\r|\n/u).length
}

/** Control characters that a paste leaves out. */
export function countControls(text: string): number {
  return text.match(controlsButTextual)?.length ?? 0
}

/** Whether the user is asked before it is pasted: it may run, or it is not what it looks like. */
export function needsQuestion(text: string): boolean {
  return hasSeveralLines(text) || countControls(text) > 0
}

/** What a click on an address may do. */
export type AddressUse =
  | { readonly kind: 'open'; readonly href: string }
  /** Opened only when the user has seen it in full and agreed. */
  | { readonly kind: 'ask'; readonly href: string }
  /** The instance's own, as whoever printed it saw it: it's opened through a forward. */
  | (LocalLink & { readonly kind: 'local' })
  | { readonly kind: 'none' }

/** An address that a program on the instance calls its own. */
export interface LocalLink {
  readonly href: string
  readonly port: number
  readonly scheme: 'http' | 'https'
  /** Path, query, and fragment. */
  readonly entry: string
}

/** What programs print for where they listen; as `URL` writes them. */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]'])
/** Other names of whoever opens them, which a forward to the instance's `localhost` doesn't lead to. */
const otherLoopback = /^127(?:\.\d+){3}$|^\[::ffff:7f|^localhost\.$|\.localhost\.?$/

/**
 * https opens, http is asked about, and a loopback address is the instance's own; other schemes, other names of this
 * computer, and addresses with a name and password in them do nothing.
 */
export function addressUse(address: string): AddressUse {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return { kind: 'none' }
  const local = localLink(url)
  if (local !== null) return local.port === 0 ? { kind: 'none' } : { kind: 'local', ...local }
  if (otherLoopback.test(url.hostname)) return { kind: 'none' }
  if (url.protocol === 'https:') return { kind: 'open', href: url.href }
  return url.protocol === 'http:' ? { kind: 'ask', href: url.href } : { kind: 'none' }
}

function localLink(url: URL): LocalLink | null {
  const scheme = url.protocol === 'http:' ? 'http' : url.protocol === 'https:' ? 'https' : null
  if (scheme === null || !localHosts.has(url.hostname)) return null
  const port = url.port === '' ? (scheme === 'http' ? 80 : 443) : Number(url.port)
  return { href: url.href, port, scheme, entry: `${url.pathname}${url.search}${url.hash}` }
}
