import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A script that runs on instances, as one text.
 *
 * @param folder that of the scripts: `resources/machine`
 * @param parts the files that it's made of, in this order
 */
export async function joinScripts(folder: string, parts: readonly string[]): Promise<string> {
  const texts = await Promise.all(parts.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('\n')
}
