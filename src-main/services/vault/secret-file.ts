import { randomUUID } from 'node:crypto'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { orStorageFailed } from '../storage/disk.ts'

/**
 * Writes a file with secrets, for its owner only. It stands under its name once `test` has found what was read
 * back from the disk to be right; otherwise nothing of it is left.
 *
 * @throws ProblemError storage-failed
 */
export async function writeSecretFile(
  path: string,
  text: string,
  test: (readBack: string) => void | Promise<void>,
): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`
  await orStorageFailed(path, async () => {
    const file = await open(part, 'wx+', 0o600)
    try {
      await writeAndTest(file, text, test)
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  })
}

async function writeAndTest(
  file: FileHandle,
  text: string,
  test: (readBack: string) => void | Promise<void>,
): Promise<void> {
  try {
    await file.writeFile(text)
    await file.sync()
    const { size } = await file.stat()
    const { buffer } = await file.read({ buffer: Buffer.alloc(size), position: 0 })
    await test(buffer.toString('utf8'))
  } finally {
    await file.close()
  }
}
