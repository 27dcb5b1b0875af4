import { lstat, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where it cannot be told: what is made is its owner's alone. */
const strictest = 0o077

/**
 * The permission bits that nothing gets which this process makes (umask(2)), read from a folder that is made for it:
 * `process.umask()` reads it by setting it, and what another thread makes at that moment gets any mode.
 */
export async function readUmask(): Promise<number> {
  let own: string | null = null
  try {
    own = await mkdtemp(join(tmpdir(), 'slipway-umask-'))
    const probe = join(own, 'probe')
    await mkdir(probe, 0o777)
    return 0o777 & ~(await lstat(probe)).mode
  } catch {
    return strictest
  } finally {
    if (own !== null) await rm(own, { recursive: true, force: true })
  }
}
