import { open, readFile } from 'node:fs/promises'
import { hasCode } from './disk.ts'

/** A log is rotated at 1 MiB: more than this of it is never looked at in a window. */
const tailBytes = 64 * 1024

/** The last whole lines of a file, oldest first; none when there is no file. */
export async function readLogTail(path: string, mostLines: number): Promise<readonly string[]> {
  try {
    const handle = await open(path, 'r')
    try {
      const { size } = await handle.stat()
      const from = Math.max(0, size - tailBytes)
      const bytes = Buffer.alloc(size - from)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from)
      const lines = bytes.toString('utf8', 0, bytesRead).split('\n')
      // The first one is cut, and the last one is what follows the last newline.
      return lines
        .slice(from === 0 ? 0 : 1)
        .filter((line) => line !== '')
        .slice(-mostLines)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** The whole log, with what was rotated out of it before. */
export async function readWholeLog(path: string): Promise<string> {
  const parts = await Promise.all([path.replace(/\.log$/, '.old.log'), path].map(readIfThere))
  return parts.join('')
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}
