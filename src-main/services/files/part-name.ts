import { createHash } from 'node:crypto'

/** What a file is made from: another size or time is another content. */
export interface PartSource {
  readonly path: string
  readonly size: number
  readonly modifiedAt: number | null
}

const longestBaseBytes = 200

/**
 * The name of a file that is not complete yet. It stands for its source, so that a later try goes on only with
 * a beginning of the same content.
 */
export function partName(name: string, { path, size, modifiedAt }: PartSource): string {
  const tag = createHash('sha256')
    .update(JSON.stringify([path, size, modifiedAt]))
    .digest('hex')
  return `.${shortened(name)}.${tag.slice(0, 12)}.part`
}

/** Whole characters only, so that the name stays Unicode. */
function shortened(name: string): string {
  let short = ''
  let bytes = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > longestBaseBytes) break
    short += character
  }
  return short
}
