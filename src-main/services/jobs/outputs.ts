import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { parseJson } from '../../domain/base/json-value.ts'
import type { Job } from '../../domain/jobs/job.ts'
import { ifThere, makeFolder, orStorageFailed, replaceFile } from '../storage/disk.ts'
import type { InstanceJobs } from './on-instance/instance-jobs.ts'
import type { FoundFile } from '../files/outputs/find-files.ts'

/** What was there before the command was started, of what is to come back. */
const baseline = z.object({
  version: z.literal(1),
  /** Path, size in bytes, time in ms. */
  files: z.array(z.tuple([z.string(), z.number(), z.number().nullable()])),
})

const baselineName = 'before.json'

/** @throws ProblemError storage-failed */
export async function keepBaseline(folder: string, files: readonly FoundFile[]): Promise<void> {
  const path = join(folder, baselineName)
  const rows = files.map(({ path: name, size, modifiedAt }) => [name, size, modifiedAt])
  await orStorageFailed(path, async () => {
    await makeFolder(folder)
    await replaceFile(path, JSON.stringify({ version: 1, files: rows }))
  })
}

/**
 * Those that are new or changed since the baseline, and all that can't be copied: what a link leads to may have changed
 * without it. Without one that can be read, all are: rather too much comes back.
 *
 * @throws ProblemError storage-failed
 */
export async function changedSince(folder: string, files: readonly FoundFile[]): Promise<FoundFile[]> {
  const path = join(folder, baselineName)
  const text = await orStorageFailed(path, () => ifThere(readFile(path, 'utf8')))
  const before = baseline.safeParse(text === null ? null : parseJson(text)).data?.files ?? []
  const known = new Map(before.map(([name, size, modifiedAt]) => [name, `${size} ${modifiedAt}`]))
  return files.filter(
    ({ path: name, size, modifiedAt, fault }) =>
      fault !== null || known.get(name) !== `${size} ${modifiedAt}`,
  )
}

/** What of the outputs is the same here as there. */
export interface Comparison {
  readonly same: Omit<NonNullable<Job['outputs']>, 'folder'>
  /** Paths of those that differ or aren't here. */
  readonly differing: readonly string[]
}

/** So many are hashed in one command. */
const hashedAtOnce = 500

/**
 * Compares what is there with what is here: sizes, and sha256 where the instance has it.
 *
 * @param folder the outputs' on this computer
 * @throws what goes over SSH does, what reading here does, or the signal's reason
 */
export async function compareOutputs(
  {
    files,
    folder,
    remote,
  }: { readonly files: readonly FoundFile[]; readonly folder: string; readonly remote: string },
  hash: InstanceJobs['hash'],
  signal: AbortSignal,
): Promise<Comparison> {
  const differing: string[] = []
  let same = { files: 0, bytes: 0, bySha256: 0 }
  for (let begin = 0; begin < files.length; begin += hashedAtOnce) {
    const some = files.slice(begin, begin + hashedAtOnce)
    const hashes = await hash(
      remote,
      some.map(({ path }) => path),
      signal,
    )
    for (const { path, size } of some) {
      signal.throwIfAborted()
      const there = hashes.get(path) ?? null
      if (!(await isSame(localPath(folder, path), size, there, signal))) {
        differing.push(path)
        continue
      }
      same = {
        files: same.files + 1,
        bytes: same.bytes + size,
        bySha256: same.bySha256 + (there === null ? 0 : 1),
      }
    }
  }
  return { same, differing }
}

async function isSame(
  path: string,
  size: number,
  sha256: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const here = await ifThere(stat(path))
  if (here === null || !here.isFile() || here.size !== size) return false
  return sha256 === null || (await sha256Of(path, signal)) === sha256.toLowerCase()
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}

function localPath(folder: string, path: string): string {
  return join(folder, ...path.split('/'))
}
