/** The longest input sent at once, in UTF-16 units: far below what the contract takes. */
const longestInput = 256 * 1024

/** Cuts long input into messages, never between the halves of a surrogate pair: each is encoded by itself. */
export function inputPieces(data: string, longest: number = longestInput): readonly string[] {
  const pieces: string[] = []
  if (data === '') return pieces
  let start = 0
  while (data.length - start > longest) {
    const last = data.charCodeAt(start + longest - 1)
    const end = start + longest - (last >= 0xd800 && last <= 0xdbff ? 1 : 0)
    pieces.push(data.slice(start, end))
    start = end
  }
  pieces.push(data.slice(start))
  return pieces
}
