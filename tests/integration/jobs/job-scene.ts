import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeLists } from '#contract/instances-changes.ts'
import type { JobDefinition } from '#domain/jobs/job-definition.ts'
import type { Job } from '#domain/jobs/job.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { firstOf } from '../accounts/program.ts'
import type { Client } from '../whole/main-program.ts'
import { rentRequestFor } from '../whole/requests.ts'

/**
 * Counts each start in a file beside the project's folder, says so, and makes outputs: one that's there, one that's
 * changed, and one that's new.
 */
export const countingCommand = [
  'echo started >> ../starts',
  'i=0; while [ $i -lt "${LINES_SAID:-200}" ]; do echo "line $i of the log"; i=$((i + 1)); done',
  'mkdir -p out/deep && cp input.txt out/deep/copy.txt && echo "more" >> changed.txt',
  'head -c 300000 /dev/zero | tr "\\0" "a" > out/large.bin',
  'echo done',
].join('\n')

export const definition: JobDefinition = {
  name: 'Train it',
  command: countingCommand,
  send: { honorGitignore: true, exclude: ['*.secret'] },
  fetch: ['out/', 'changed.txt', 'same.txt'],
  then: 'destroy',
  stopAfterMinutes: null,
}

/** Rents the cheapest of all offers. */
export const rental = {
  kind: 'rent',
  searchName: 'All',
  query: defaultOfferQuery,
  options: { ...rentRequestFor(0).options, addSshKey: true },
  plan: { machines: 2, capPerHourUsd: null, bootMinutes: 60, giveUpAfterMinutes: 600 },
} as const

/** The project of these tests, in a folder that is made. */
export async function makeProject(parent: string): Promise<string> {
  const folder = join(parent, 'project')
  await mkdir(folder, { recursive: true })
  const files = {
    'input.txt': 'what goes in\n',
    'changed.txt': 'at first\n',
    'same.txt': 'as it was\n',
    '.gitignore': 'ignored/\n',
    'key.secret': 'not for the instance\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** The job, when it is as it should be. */
export async function jobWhen(client: Client, id: string, isSo: (job: Job) => boolean): Promise<Job> {
  const all = await firstOf(client.jobs.watch, (jobs) => jobs.some((job) => job.id === id && isSo(job)))
  const found = all.find((job) => job.id === id)
  if (found === undefined) throw new Error('no such job')
  return found
}

export const isOver = ({ outcome }: Job): boolean => outcome !== null

/** The sha256 of each file in a folder, by its path. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hashed = files.toSorted().map(async (path) => {
    const hash = createHash('sha256').update(await readFile(path))
    return [path.slice(folder.length + 1), hash.digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(hashed))
}

/** Answers whatever an instance asks about its host key, until the signal is aborted. */
export async function trustHosts(client: Client, signal: AbortSignal): Promise<void> {
  for await (const all of await client.ssh.connections.watch(undefined, { signal }))
    for (const { instanceId, state } of all)
      if (state.kind === 'unknown-host')
        await client.ssh.connections.answerHostKey({
          instanceId,
          trust: true,
          fingerprint: state.offered.fingerprint,
        })
}

/** The ids of the instances that are listed now. */
export async function listedIds(client: Client): Promise<readonly number[]> {
  await client.instances.refresh()
  const { instances } = await firstOf(wholeLists(client.instances.watch))
  return (instances ?? []).map(({ id }) => id)
}
