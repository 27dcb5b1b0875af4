import { createHash } from 'node:crypto'

/** What a file is made from: another size or time is another content, and so is the same path of another instance. */
export interface PartSource {
  /** Without it, it's of this computer. */
  readonly instanceId?: number | null
  readonly path: string
  readonly size: number
  readonly modifiedAt: number | null
}

const longestBaseBytes = 200

/**
 * The name of a file that is not complete yet. It stands for its source, so that a later try goes on only with
 * a beginning of the same content.
 */
export function partName(name: string, { instanceId, path, size, modifiedAt }: PartSource): string {
  const tag = createHash('sha256')
    .update(JSON.stringify([path, size, modifiedAt, ...(instanceId ? [instanceId] : [])]))
    .digest('hex')
  return `.${shortened(name)}.${tag.slice(0, 12)}.part`
}

/** Names of such files, as a pattern of .gitignore files. */
export const partNamePattern = `.*.${'[0-9a-f]'.repeat(12)}.part`

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
