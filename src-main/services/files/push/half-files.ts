import type { PlannedFile } from '../copy-plan.ts'
import { partName } from '../part-name.ts'
import { inLanes, lookWithin, pathIn, stampOf, type CompareOptions } from './compare-trees.ts'
import { isSame, type FileStamp } from './push-decision.ts'

/**
 * Removes what pushes before have left half done, as far as this one doesn't go on with it.
 *
 * @param halves as they were here when they were begun, by their paths
 * @param files that are about to be sent
 * @returns paths of which nothing is left
 * @throws as a FileTree, or the signal's reason
 */
export async function removeHalves(
  { localTree, tree, from, target, signal }: Omit<CompareOptions, 'plan' | 'pushed'>,
  halves: ReadonlyMap<string, FileStamp>,
  files: readonly PlannedFile[],
): Promise<readonly string[]> {
  const sent = new Map(files.map((file) => [file.path, stampOf(file)]))
  const look = lookWithin(tree, target)
  const ended: string[] = []
  await inLanes([...halves], signal, async ([path, stamp]) => {
    const now = sent.get(path)
    if (now !== undefined && isSame(now, stamp)) return
    const names = path.split('/')
    const part = partName(names.at(-1) ?? '', { path: pathIn(localTree, from, path), ...stamp })
    const half = [...names.slice(0, -1), part].join('/')
    if ((await look(half)) !== null) await tree.removeFile(pathIn(tree, target.path, half))
    ended.push(path)
  })
  return ended
}
