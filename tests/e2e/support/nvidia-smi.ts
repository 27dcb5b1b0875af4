import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const folderOf = (home: string): string => join(home, '../root/bin')

/** Puts an nvidia-smi of these lines on an instance, by its home; at no time it's missing or half of it. */
export async function setNvidiaSmi(home: string, lines: string): Promise<void> {
  const folder = folderOf(home)
  await mkdir(folder, { recursive: true })
  const next = join(folder, 'next')
  await writeFile(next, `#!/bin/sh\n${lines}\n`)
  await chmod(next, 0o755)
  await rename(next, join(folder, 'nvidia-smi'))
}

/** Takes it away again. */
export async function removeNvidiaSmi(home: string): Promise<void> {
  await rm(join(folderOf(home), 'nvidia-smi'))
}
