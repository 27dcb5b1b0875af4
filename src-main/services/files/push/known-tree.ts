import type { FileEntry } from '../../../domain/files/transfer.ts'
import type { PlanTarget } from '../copy-plan.ts'
import type { PushedFile } from './push-decision.ts'

/**
 * A folder of an instance, as it was when it last agreed with the one here: for what nobody has to look at there.
 *
 * @param names how the instance's paths are made
 * @param root the folder
 * @param foldersThere that are known to be in it, also empty ones
 */
export function createKnownTree(
  names: Omit<PlanTarget, 'list'>,
  root: string,
  pushed: ReadonlyMap<string, PushedFile>,
  foldersThere: ReadonlySet<string>,
): PlanTarget {
  const folders = new Map<string, Map<string, FileEntry>>()
  const inside = (folder: string): Map<string, FileEntry> => {
    const known = folders.get(folder) ?? new Map<string, FileEntry>()
    folders.set(folder, known)
    return known
  }
  const add = (path: string, last: Omit<FileEntry, 'name' | 'mode'>): void => {
    const parts = path.split('/')
    let folder = root
    for (const [index, name] of parts.entries()) {
      const entry = index === parts.length - 1 ? last : folderThere
      inside(folder).set(name, { name, mode: null, ...entry })
      folder = names.join(folder, name)
    }
  }
  for (const path of foldersThere) if (path !== '') add(path, folderThere)
  for (const [path, { there }] of pushed) add(path, { kind: 'file', ...there })
  return { ...names, list: (folder) => Promise.resolve([...(folders.get(folder)?.values() ?? [])]) }
}

const folderThere = { kind: 'folder', size: 0, modifiedAt: null } as const
