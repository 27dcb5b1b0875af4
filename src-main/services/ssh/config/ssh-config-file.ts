import { chmod, lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ifThere } from '../../storage/disk.ts'

/**
 * Replaces a file as a whole: after a crash there is the former one or the new one. A link is followed, and
 * stays; the mode of a file that is there stays too, a new one is its owner's only.
 */
export async function replaceText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const target = await targetOf(path)
  const former = await ifThere(stat(target))
  const temporary = `${target}.slipway-new`
  // Left there by a crash; it never was part of anything.
  await rm(temporary, { force: true })
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
      if (former !== null && former.uid !== process.getuid?.()) await handle.chown(former.uid, former.gid)
    } finally {
      await handle.close()
    }
    if (former !== null) await chmod(temporary, former.mode & 0o777)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** @throws when it is a link to what is not there: nobody said that it should be made */
async function targetOf(path: string): Promise<string> {
  const target = await ifThere(realpath(path))
  if (target !== null) return target
  const isLink = await lstat(path).then(
    (entry) => entry.isSymbolicLink(),
    () => false,
  )
  if (isLink) throw new Error(`${path} is a link to a file that does not exist`)
  return path
}
