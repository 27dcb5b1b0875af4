import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'

/** CAP_SYS_ADMIN of capabilities(7): root in a container is mostly without it. */
const systemAdmin = 1n << 21n

/** Only root with all its rights may; known before any test runs. */
export const mayMountDisks = process.platform === 'linux' && process.getuid?.() === 0 && isSystemAdmin()

function isSystemAdmin(): boolean {
  const status = readFileSync('/proc/self/status', 'utf8')
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return (BigInt(`0x${effective}`) & systemAdmin) !== 0n
}

/** Makes the folder a disk of its own. Resolves with how to take it away again, also while it is in use. */
export async function mountSmallDisk(folder: string, sizeMib: number): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', folder])
  return async () => {
    await promisify(execFile)('umount', ['-l', folder])
  }
}
