/** What is shown at first, and with each "Show more", in UTF-16 units. */
export const partLength = 20_000

/**
 * Cuts a long text where a paragraph ends, else where a line ends, else anywhere; nothing is lost. Only the parts that
 * are looked at are ever drawn.
 */
export function* readmeParts(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    const end = at + partLength < text.length ? at + cutIn(text.slice(at, at + partLength)) : text.length
    yield text.slice(at, end)
    at = end
  }
}

function cutIn(piece: string): number {
  for (const mark of ['\n\n', '\n']) {
    const at = piece.lastIndexOf(mark)
    if (at > piece.length / 2) return at + mark.length
  }
  // Not in the midst of a character.
  return /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length
}
