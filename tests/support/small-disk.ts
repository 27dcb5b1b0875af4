import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Only root may; known before any test runs. */
export const mayMountDisks = process.platform === 'linux' && process.getuid?.() === 0

/** Makes the folder a disk of its own. Resolves with how to take it away again, also while it is in use. */
export async function mountSmallDisk(folder: string, sizeMib: number): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', folder])
  return async () => {
    await promisify(execFile)('umount', ['-l', folder])
  }
}
