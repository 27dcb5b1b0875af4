import { z } from 'zod'
import type { Clock } from '../domain/clock.ts'
import { type JsonFile, openJsonFile, type StorageNotice } from './json-file.ts'

const accountInUse = z.object({
  /** Under which the vault keeps its key. */
  accountId: z.string().min(1),
  serviceAddress: z.string().min(1),
  /** The service's own id of the account. */
  userId: z.number(),
  /** What may be shown of the key. */
  keyMask: z.string(),
})
export type AccountInUse = z.infer<typeof accountInUse>

/** Which account is in use; `null` before one was connected. @throws ProblemError storage-failed */
export function openAccountFile(options: {
  readonly path: string
  readonly clock: Clock
  readonly onCorrupt: (notice: StorageNotice) => void
}): Promise<JsonFile<AccountInUse | null>> {
  return openJsonFile({ ...options, version: 1, schema: accountInUse.nullable(), fallback: null })
}
