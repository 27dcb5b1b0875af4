import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the script is made of, in this order. */
const parts = ['common.sh', 'usage.sh', 'guard.sh']

/**
 * The script that runs on instances, as one file there.
 *
 * @param folder that of the scripts: `resources/machine`
 */
export async function scriptText(folder: string): Promise<string> {
  const texts = await Promise.all(parts.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('\n')
}
