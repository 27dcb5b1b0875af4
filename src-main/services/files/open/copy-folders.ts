import { lstat, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from '../../storage/disk.ts'

/**
 * Removes a copy and its folder. What a program saved beside the copy stays, for nobody else has it.
 *
 * @param path of the copy; `null`: only a folder without anything in it is removed
 * @returns whether something stays
 * @throws as the file system does
 */
export async function removeCopy(folder: string, path: string | null): Promise<boolean> {
  const entry = path === null ? null : await ifThere(lstat(path))
  if (path !== null && entry !== null && !entry.isDirectory()) await rm(path, { force: true })
  try {
    await rmdir(folder)
    return false
  } catch (error) {
    if ((await ifThere(readdir(folder))) === null) return false
    if ((await readdir(folder)).length === 0) throw error
    return true
  }
}

/**
 * Removes folders of copies that aren't known, once nothing in them has changed since then, in milliseconds since the
 * epoch. @throws as the file system does
 */
export async function sweepCopies(folder: string, known: ReadonlySet<string>, since: number): Promise<void> {
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const one = join(folder, name)
    if (!known.has(name) && (await newestIn(one)) < since) await rm(one, { recursive: true, force: true })
  }
}

async function newestIn(path: string): Promise<number> {
  const entry = await ifThere(lstat(path))
  if (entry === null) return Infinity
  if (!entry.isDirectory()) return entry.mtimeMs
  const inside = await Promise.all((await readdir(path)).map((name) => newestIn(join(path, name))))
  return Math.max(entry.mtimeMs, ...inside)
}
