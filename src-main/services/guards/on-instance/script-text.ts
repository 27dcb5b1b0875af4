import { joinScripts } from '../../ssh/scripts/join-scripts.ts'

/**
 * The script that watches on instances, as one file there.
 *
 * @param folder that of the scripts: `resources/machine`
 */
export function scriptText(folder: string): Promise<string> {
  return joinScripts(folder, ['common.sh', 'usage.sh', 'guard.sh'])
}
