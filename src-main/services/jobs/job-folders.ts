import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { JobRecord } from './job-record.ts'

/** In the project's folder, for what comes back; it never goes to an instance. */
export const outputsFolderName = 'slipway-outputs'

/** Below it, from an instance's home on, are the project's folders there. */
const remoteParent = 'slipway-jobs'
const longestName = 60

/**
 * Where a project is on an instance, from the home on: the same for each job of a folder, so that only what differs is
 * sent, and another one for a folder of the same name elsewhere.
 *
 * @param folder the project's on this computer, an absolute path
 */
export function remoteFolderOf(folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 8)
  return `${remoteParent}/${plainName(basename(folder), 'project')}-${hash}`
}

/** Tells jobs of one name apart that began in the same second. */
const idLength = 6

/** The folder of this computer that the outputs of a job come to, and of no other job. */
export function outputsFolderOf({
  id,
  folder,
  definition,
  begunAt,
}: Pick<JobRecord, 'id' | 'folder' | 'definition' | 'begunAt'>): string {
  const names = [plainName(definition.name, 'job'), timeName(begunAt), id.slice(0, idLength)]
  return join(folder, outputsFolderName, names.join('-'))
}

/** In local time, as whoever looks for it remembers it. */
function timeName(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}

/** What any system takes for a folder, and no shell for anything else. */
function plainName(name: string, without: string): string {
  const plain = name
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, longestName)
    .replace(/(?<![.-])[.-]+$/, '')
  return plain === '' ? without : plain
}
