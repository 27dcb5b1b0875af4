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

const controlsButTextual = /(?![\t\n\r])\p{Cc}/gu

/**
 * Clipboard text without control characters: with an escape character it could end a bracketed paste early,
 * and what follows would run as if it were typed.
 */
export function cleanPaste(raw: string): string {
  return raw.replace(controlsButTextual, '')
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
  | { readonly kind: 'none' }

/** https opens, http is asked about; other schemes and addresses with a name and password in them do nothing. */
export function addressUse(address: string): AddressUse {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return { kind: 'none' }
  if (url.protocol === 'https:') return { kind: 'open', href: url.href }
  return url.protocol === 'http:' ? { kind: 'ask', href: url.href } : { kind: 'none' }
}
