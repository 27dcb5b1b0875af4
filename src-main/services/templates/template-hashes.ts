import { z } from 'zod'
import { latestHash, templateHashes, withNewHash, type TemplateHashes } from '../../domain/template-hashes.ts'
import type { Log } from '../../domain/base/log.ts'
import { openJsonFile, type JsonFilePlace } from '../storage/json-file.ts'

/** What the hash ids of each account's templates have become, lasting. */
export interface TemplateHashBook {
  /** The hash id that the template has now. @param owner see `ownerOf` */
  readonly latest: (owner: string, hash: string) => string
  /** Notes an edit. A failure to write it is logged: in this run it is known all the same. */
  readonly follow: (owner: string, from: string, to: string) => Promise<void>
}

type Hashes = Readonly<Record<string, TemplateHashes>>

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openTemplateHashes({
  log,
  ...options
}: JsonFilePlace & {
  readonly log: Log
}): Promise<TemplateHashBook> {
  const file = await openJsonFile<Hashes>({
    ...options,
    schema: z.record(z.string(), templateHashes),
    fallback: {},
  })
  let known = file.value
  return {
    latest: (owner, hash) => latestHash(known[owner] ?? {}, hash),
    follow: async (owner, from, to) => {
      if (from === to) return
      known = { ...known, [owner]: withNewHash(known[owner] ?? {}, from, to) }
      try {
        await file.write(known)
      } catch (error) {
        log.error('The new hash id of a template could not be kept', error)
      }
    },
  }
}
