import { z } from 'zod'
import { openJsonFile, type JsonFile, type JsonFilePlace } from '../storage/json-file.ts'

/**
 * The version of Slipway whose installation was begun last; `null` for none.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export function openBegunUpdate(file: JsonFilePlace): Promise<JsonFile<string | null>> {
  return openJsonFile({ ...file, schema: z.string().max(100).nullable(), fallback: null })
}
