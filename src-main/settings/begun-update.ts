import { z } from 'zod'
import { openJsonFile, type JsonFile, type JsonFileOptions } from './json-file.ts'

/**
 * The version of Slipway whose installation was begun last; `null` for none.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export function openBegunUpdate(
  file: Pick<JsonFileOptions<unknown>, 'path' | 'clock' | 'onCorrupt'>,
): Promise<JsonFile<string | null>> {
  return openJsonFile({ ...file, version: 1, schema: z.string().max(100).nullable(), fallback: null })
}
