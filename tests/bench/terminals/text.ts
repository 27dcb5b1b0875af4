const words =
  'loss step lr grad norm epoch batch cuda device memory tokens per second checkpoint saved loaded eval'
const blockBytes = 1024 * 1024

/**
 * A mebibyte of text as a training run writes it: lines of several lengths, a few of them coloured, with the line
 * ends of a terminal. It ends with a whole line.
 */
export function makeText(): Buffer {
  const vocabulary = words.split(' ')
  const lines: string[] = []
  let size = 0
  for (let number = 0; ; number += 1) {
    const picked = Array.from(
      { length: 4 + ((number * 7) % 13) },
      (_, index) => vocabulary[(number * 31 + index * 17) % vocabulary.length],
    ).join(' ')
    const line = number % 10 === 0 ? `\x1b[32m${number}\x1b[0m ${picked}\r\n` : `${number} ${picked}\r\n`
    if (size + line.length > blockBytes - 100) break
    lines.push(line)
    size += line.length
  }
  lines.push(`${'='.repeat(blockBytes - size - 2)}\r\n`)
  return Buffer.from(lines.join(''))
}
