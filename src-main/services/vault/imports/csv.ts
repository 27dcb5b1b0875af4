/** The rows of a CSV text (RFC 4180). Quotes that are never closed end with the text. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const bare = /[^,\n]*/y
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1)
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = Math.min(end + 1, text.length)
    }
    bare.lastIndex = at
    cell += bare.exec(text)?.[0] ?? ''
    at = bare.lastIndex
    const isLast = text[at] !== ','
    row.push(isLast ? cell.replace(/\r$/, '') : cell)
    at += 1
    if (!isLast) continue
    rows.push(row)
    row = []
  }
  return rows
}

/** Where the quote stands that ends a cell: not one of a pair. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  return text.length
}
