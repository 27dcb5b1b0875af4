import { z } from 'zod'
import type { JsonValue } from '../../domain/base/json-value.ts'
import { stepToOwnPart } from '../../domain/base/file-version.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Filters } from '../../domain/fields/filter.ts'
import { openJsonFile, type JsonFilePlace, type JsonFileShape } from '../storage/json-file.ts'

/**
 * What each hash id of a template has become: it is another one after every edit (service API 2.2), and a rental may
 * still name the one from before.
 */
const templateHashes = z.record(z.string(), z.string())
export type TemplateHashes = z.infer<typeof templateHashes>

/** Hash ids that are remembered; what is older is asked for by nobody. */
const mostHashes = 1000

/** The hash id that a template has now, as far as is known. */
export function latestHash(hashes: TemplateHashes, hash: string): string {
  return Object.hasOwn(hashes, hash) ? (hashes[hash] ?? hash) : hash
}

/** With one more edit: whatever led to the former hash id leads to the new one. An edit that is taken back leads back. */
export function withNewHash(hashes: TemplateHashes, from: string, to: string): TemplateHashes {
  const led = Object.entries(hashes).map(([hash, now]) => [hash, now === from ? to : now] as const)
  return Object.fromEntries(
    [...led, [from, to] as const].filter(([hash, now]) => hash !== to && hash !== now).slice(-mostHashes),
  )
}

/** The same search, asking for what the hash ids in it have become. */
export function withLatestHashes(filters: Filters, latest: (hash: string) => string): Filters {
  if (!Object.hasOwn(filters, 'hash_id')) return filters
  const { hash_id: conditions = {}, ...others } = filters
  const now = (value: JsonValue): JsonValue => (typeof value === 'string' ? latest(value) : value)
  const followed = Object.entries(conditions).map(
    ([operator, value]) => [operator, Array.isArray(value) ? value.map(now) : now(value)] as const,
  )
  return { ...others, hash_id: Object.fromEntries(followed) }
}

/** What the hash ids of the account's templates have become, lasting. */
export interface TemplateHashHistory {
  /** The hash id that the template has now. */
  readonly latest: (hash: string) => string
  /** Notes an edit. A failure to write it is logged: in this run it is known all the same. */
  readonly follow: (from: string, to: string) => Promise<void>
}

export const templateHashesFile: JsonFileShape<TemplateHashes> = {
  schema: templateHashes,
  steps: [stepToOwnPart(z.record(z.string(), templateHashes), {})],
  fallback: {},
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openTemplateHashHistory({
  log,
  ...options
}: JsonFilePlace & {
  readonly log: Log
}): Promise<TemplateHashHistory> {
  const file = await openJsonFile({ ...options, ...templateHashesFile })
  let known = file.value
  return {
    latest: (hash) => latestHash(known, hash),
    follow: async (from, to) => {
      if (from === to) return
      known = withNewHash(known, from, to)
      try {
        await file.write(known)
      } catch (error) {
        log.error('The new hash id of a template could not be kept', error)
      }
    },
  }
}
