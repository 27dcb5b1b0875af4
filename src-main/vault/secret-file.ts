import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { ProblemError } from '../domain/problem.ts'

/**
 * Writes a file with secrets, for its owner only. It stands under its name once `test` has found what was read
 * back from the disk to be right; otherwise nothing of it is left.
 *
 * @throws ProblemError storage-failed, and what `test` throws
 */
export async function writeSecretFile(
  path: string,
  text: string,
  test: (readBack: string) => void | Promise<void>,
): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    const file = await open(part, 'wx+', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
      const { buffer } = await file.read({ buffer: Buffer.alloc(Buffer.byteLength(text) + 1), position: 0 })
      await test(buffer.subarray(0, -1).toString('utf8'))
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true })
    if (cause instanceof ProblemError) throw cause
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new ProblemError({ kind: 'storage-failed', file: path, detail }, { cause })
  }
}
